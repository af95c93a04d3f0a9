"""Converters of other formats to MindRecord files: images, CSV and TFRecord; names of `mindspore.mindrecord`."""
