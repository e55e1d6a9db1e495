"""Pages of records: hands, disputes, figures, backups, and versions from other devices."""
