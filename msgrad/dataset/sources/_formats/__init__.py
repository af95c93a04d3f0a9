"""File formats: TFRecord records, messages and checksums, and audio files."""
