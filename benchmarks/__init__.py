"""How fast the app and the engine are, and how much memory they take: `python -m benchmarks` measures and reports."""
