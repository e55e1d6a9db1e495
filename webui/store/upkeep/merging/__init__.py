"""合併: a backup read into a place that has records: entries, evenings that parted, other files."""
