"""A client of `scree serve` on NumPy alone: python3 scree.py scene.json prints the contacts of a scene."""
import io
import json
import subprocess
import sys

import numpy as np


class ScreeError(Exception):
    """What scree says of a call that it cannot answer: one line."""


class Scree:
    """A process of scree. Bodies and tables stay in it between calls; leaving `with` ends it."""

    def __init__(self, *options, command=("npx", "scree")):
        # Linux: pipes that hold more let both sides work on.
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "pipesize": 1 << 20}
        self._process = subprocess.Popen([*command, "serve", *options], **pipes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()

    def call(self, name, arrays=None, **fields):
        """Makes a call: fields go as JSON, arrays as .npy. Gives a dict of what comes back, arrays in it."""
        files = []
        for key, array in (arrays or {}).items():
            file = io.BytesIO()
            np.save(file, np.ascontiguousarray(array))
            files.append((key, file.getvalue()))
        head = {"call": name, "arrays": [[key, len(data)] for key, data in files], **fields}
        pipe = self._process.stdin
        pipe.write(json.dumps(head).encode() + b"\n")
        for _, data in files:
            pipe.write(data)
        pipe.flush()
        line = self._process.stdout.readline()
        if not line:
            raise ScreeError(f"scree has ended with exit code {self._process.wait()}")
        answer = json.loads(line)
        listed = answer.pop("arrays")
        read = {key: np.load(io.BytesIO(self._process.stdout.read(size))) for key, size in listed}
        if "error" in answer:
            raise ScreeError(answer["error"])
        return {**answer, **read}


if __name__ == "__main__":
    with Scree() as scree:
        opened = scree.call("contacts", scene=sys.argv[1])
        found = scree.call("detect", id=opened["id"], arrays={"poses": opened["poses"]})
        names = opened["names"]
        for (a, b), distance in zip(found["bodies"], found["distances"]):
            print(names[a], names[b], distance)
