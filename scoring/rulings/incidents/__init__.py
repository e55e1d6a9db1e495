"""裁決的規則: one function for each incident, grouped by what it is about; each takes a `Case` and gives a `Ruling`."""
