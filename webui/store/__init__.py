"""戰績庫: settled hands, kept for good in SQLite or PostgreSQL, and their photos as files."""
