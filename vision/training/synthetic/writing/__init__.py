"""Writing on tiles and beside them: fonts of the machine, and things that bear characters and are no tiles."""
