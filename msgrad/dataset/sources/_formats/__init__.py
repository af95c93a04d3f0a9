"""Formats of files: TFRecord's records, their messages and checksums, and sounds."""
