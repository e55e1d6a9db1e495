"""Plain files that formats are made of: XML, and the YAML of a set in YOLO layout."""
