"""Changes of photos that only benchmarks make."""
