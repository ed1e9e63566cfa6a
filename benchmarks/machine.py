"""What the figures depend on beside the project: the machine, the programs, and what else was running."""

import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import cpuinfo
import psutil

ROOT = Path(__file__).parents[1]
PROGRAMS = ("torch", "streamlit", "numpy")
FEATURES = ("avx2", "avx512f", "avx512_bf16", "amx_bf16")
"""Of a processor, those that decide how fast it multiplies matrices."""

GIB = 2**30


class Machine(NamedTuple):
    """Where and when the figures were taken. busy: the share of all cores in use just before, by anything else."""

    processor: str
    features: tuple[str, ...]
    cores: int
    memory: float
    system: str
    versions: dict[str, str]
    commit: str
    date: str
    busy: float


def describe_machine() -> Machine:
    """Look at this machine for a second, which must be idle for the figures to mean much."""
    processor = cpuinfo.get_cpu_info()
    return Machine(
        processor.get("brand_raw", platform.processor()),
        tuple(feature for feature in FEATURES if feature in processor.get("flags", ())),
        psutil.cpu_count(),
        psutil.virtual_memory().total / GIB,
        f"{platform.system()} {platform.release().partition('-')[0]}",
        {"Python": platform.python_version(), **{name: metadata.version(name) for name in PROGRAMS}, **_chromium()},
        _commit(),
        time.strftime("%Y-%m-%d %H:%M %Z"),
        psutil.cpu_percent(interval=1) / 100,
    )


def _chromium() -> dict[str, str]:
    version = _answer("chromium", "--version")
    return {"Chromium": version.split()[1]} if version else {}


def _commit() -> str:
    commit = _answer("git", "rev-parse", "--short", "HEAD")
    if not commit:
        return "unknown"
    return f"{commit}, with changes" if _answer("git", "status", "--porcelain", "--untracked-files=no") else commit


def _answer(*command: str) -> str:
    """What a command prints; empty where it is missing or fails."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
