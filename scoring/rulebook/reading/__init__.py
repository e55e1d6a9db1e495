"""讀規則書: a TOML file to a rule book, and what a house book changed."""
