"""讀規則書: a TOML file to a rule book, with the changes of a house book."""
