"""戰績庫: what was settled at the table, kept for good in SQLite or PostgreSQL; photos beside it as files."""
