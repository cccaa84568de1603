#!/usr/bin/env python3
"""Holds the licences of all dependencies and where they come from against deny.toml.

    cargo metadata --all-features --locked --format-version 1 | scripts/licences.py deny.toml

The same rules as `cargo deny check licenses sources`, which takes minutes to build.
"""
import json
import re
import sys
import tomllib

with open(sys.argv[1], "rb") as file:
    allowed = set(tomllib.load(file)["licenses"]["allow"])


def holds(expression):
    """Whether what is allowed satisfies an SPDX expression."""
    words = re.findall(r"[()]|[^\s()/]+|/", expression)

    def either():
        found = both()
        while words and words[0] in ("OR", "/"):
            words.pop(0)
            # Both sides are read, whatever the first one says.
            found = both() or found
        return found

    def both():
        found = one()
        while words and words[0] == "AND":
            words.pop(0)
            found = one() and found
        return found

    def one():
        word = words.pop(0)
        if word == "(":
            found = either()
            words.pop(0)
            return found
        if words and words[0] == "WITH":
            word = " ".join([word, words.pop(0), words.pop(0)])
        return word in allowed

    found = either()
    return found and not words


faults = 0
packages = json.load(sys.stdin)["packages"]
for package in packages:
    name = f"{package['name']} {package['version']}"
    if not package["license"] or not holds(package["license"]):
        print(f"error: {name} has the licence {package['license']}, which deny.toml does not allow", file=sys.stderr)
        faults += 1
    if package["source"] and not package["source"].startswith("registry+"):
        print(f"error: {name} comes from {package['source']}", file=sys.stderr)
        faults += 1
print(f"{len(packages)} packages, all under licences that deny.toml allows" if not faults else f"{faults} faults")
sys.exit(faults > 0)
