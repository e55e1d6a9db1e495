"""對照: worked cases with their clauses, and whether an answer is the one that the clause gives.

The cases are data and name no engine: ``paitai conformance`` writes them for others and holds any program against them.
"""
