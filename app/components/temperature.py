"""The temperatures that can be chosen, and their names: the same on every page."""

TEMPERATURES = (0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0)
"""In steps that look even on a logarithmic scale."""

_NAMES = {0.001: "hard (one word)", 1.0: "1 (as trained)", 1000.0: "uniform"}


def temperature_name(temperature: float) -> str:
    """How one of TEMPERATURES is written on a page."""
    return _NAMES.get(temperature, f"{temperature:g}")
