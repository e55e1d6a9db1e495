"""House rules: the registry of rule books and the form that edits one."""
