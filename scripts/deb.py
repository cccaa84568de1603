#!/usr/bin/env python3
"""Makes target/debian/hustings_VERSION_ARCHITECTURE.deb as [package.metadata.deb] of Cargo.toml says, with Debian's own dpkg-deb.

It knows as much of cargo-deb's keys as this project uses, and takes a second where building cargo-deb takes minutes.
"""
import glob
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

with open("Cargo.toml", "rb") as file:
    package = tomllib.load(file)["package"]
deb = package["metadata"]["deb"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    root = Path(folder)
    root.chmod(0o755)
    for pattern, target, mode in deb["assets"]:
        sources = glob.glob(pattern)
        if not sources:
            raise SystemExit(f"error: {pattern}: there is no such file; run scripts/package")
        for source in sources:
            place = root / target / Path(source).name if target.endswith("/") else root / target
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)
            place.chmod(int(mode, 8))
    for page in root.glob("usr/share/man/man1/*.1"):
        subprocess.run(["gzip", "-9", "--no-name", page], check=True)
    for made in root.rglob("*"):
        if made.is_dir():
            made.chmod(0o755)
    architecture = output("dpkg", "--print-architecture").strip()
    size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
    description = "\n".join(f" {line}" for line in deb["extended-description"].split("\n"))
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(
        f"Package: {package['name']}\nVersion: {package['version']}-1\nArchitecture: {architecture}\n"
        f"Maintainer: {deb['maintainer']}\nSection: {deb['section']}\nPriority: optional\n"
        f"Depends: libc6, libgcc-s1\nInstalled-Size: {size // 1024 + 1}\n"
        f"Description: {package['description']}\n{description}\n"
    )
    made = Path("target/debian")
    made.mkdir(parents=True, exist_ok=True)
    path = made / f"{package['name']}_{package['version']}-1_{architecture}.deb"
    output("dpkg-deb", "--build", "--root-owner-group", str(root), str(path))
    print(path)
