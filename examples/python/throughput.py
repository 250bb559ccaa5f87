"""Calls and bytes per second of `scree serve`, beside the same calls in Node, in turns: python3 throughput.py 8 1000"""
import json
import statistics
import subprocess
import sys
import time

import numpy as np
from scree import Scree

ROUNDS, SECONDS = 5, 1
NODE = """
import { createInterface } from 'node:readline';
import { ContactPipeline, parseScene } from 'scree';
const { shapes, bodies, poses } = await parseScene(process.argv[1]);
const pipeline = await ContactPipeline.create(undefined, shapes, { bodies });
await pipeline.detect({ poses, backend: 'cpu' });
// A line of input is a number of seconds.
for await (const line of createInterface({ input: process.stdin })) {
  let calls = 0;
  const began = performance.now();
  for (; performance.now() - began < 1000 * line; calls++) await pipeline.detect({ poses, backend: 'cpu' });
  console.log((1000 * calls) / (performance.now() - began));
}
pipeline.destroy();
"""


def measure(side):
    """Bytes of a call, and rates of Python and of Node, the middle ones of all rounds."""
    grid = {"counts": [side, side, side], "spacing": 0.98}
    scene = {"shapes": {"ball": {"kind": "sphere", "radius": 0.5}}, "bodies": [{"shape": "ball", "grid": grid}]}
    command = ["node", "--input-type=module", "-e", NODE, json.dumps(scene)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with Scree("--backend", "cpu") as scree, subprocess.Popen(command, **pipes) as node:
        opened = scree.call("contacts", scene=scene)
        arrays = {"poses": opened["poses"]}
        found = scree.call("detect", id=opened["id"], arrays=arrays)
        size = arrays["poses"].nbytes + sum(one.nbytes for one in found.values() if isinstance(one, np.ndarray))
        rates = []
        for _ in range(ROUNDS):
            calls, began = 0, time.perf_counter()
            while time.perf_counter() - began < SECONDS:
                scree.call("detect", id=opened["id"], arrays=arrays)
                calls += 1
            python = calls / (time.perf_counter() - began)
            node.stdin.write(f"{SECONDS}\n")
            node.stdin.flush()
            rates.append((python, float(node.stdout.readline())))
        node.stdin.close()
    ratio = statistics.median(python / node for python, node in rates)
    return size, *(statistics.median(column) for column in zip(*rates)), ratio


print("| balls | bytes of a call | calls/s, Python | MB/s, Python | calls/s, Node | MB/s, Node | Python / Node |")
print("| --- | --- | --- | --- | --- | --- | --- |")
for count in map(int, sys.argv[1:] or ["8", "1000", "10648"]):
    side = round(count ** (1 / 3))
    size, python, node, ratio = measure(side)
    mega = size / 1e6
    print(
        f"| {side**3} | {1000 * mega:.3g} kB | {python:.0f} | {python * mega:.0f} | {node:.0f} | {node * mega:.0f} "
        f"| {ratio:.2f} |"
    )
