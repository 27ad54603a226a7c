"""Where the benches keep what their peers need; made once and kept between runs."""
import os, pathlib, shutil, subprocess, sys
from programs import ROOT, Failure

BENCHMARKS = ROOT / "Benchmarks"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "pinpost-bench"


def python_with_peers(requirements=BENCHMARKS / "peers/requirements.txt", name="ingest"):
    """The Python of a virtual environment that has the packages of a list."""
    folder = CACHE / name
    wanted, made = requirements.read_text(), folder / "made-from.txt"
    if not made.exists() or made.read_text() != wanted:
        print("bench: installing the peer's Python packages", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
                       check=True)
        made.write_text(wanted)
    return folder / "bin/python"


def compiled(source, folder, *flags):
    """A C program of ours, built as a peer would be."""
    program = folder / source.stem
    done = subprocess.run(["cc", "-O2", "-Wall", "-o", program, source, *flags], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{source.name} cannot be compiled:\n{done.stderr}")
    return program
