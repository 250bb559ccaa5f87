"""Calls and bytes per second of `scree serve`, beside the same calls in Node: python3 throughput.py 1000"""
import json
import subprocess
import sys
import time

import numpy as np
from scree import Scree

SECONDS = 3
NODE = """
import { performance } from 'node:perf_hooks';
import { ContactPipeline, parseScene } from 'scree';
const { shapes, bodies, poses } = await parseScene(process.argv[1]);
const pipeline = await ContactPipeline.create(undefined, shapes, { bodies });
await pipeline.detect({ poses, backend: 'cpu' });
let calls = 0;
const began = performance.now();
for (; performance.now() - began < 1000 * %d; calls++) {
  await pipeline.detect({ poses, backend: 'cpu' });
}
console.log((1000 * calls) / (performance.now() - began));
""" % SECONDS

side = round(int(sys.argv[1] if len(sys.argv) > 1 else 1000) ** (1 / 3))
scene = {
    "shapes": {"ball": {"kind": "sphere", "radius": 0.5}},
    "bodies": [{"shape": "ball", "grid": {"counts": [side, side, side], "spacing": 0.98}}],
}
with Scree("--backend", "cpu") as scree:
    opened = scree.call("contacts", scene=scene)
    arrays = {"poses": opened["poses"]}
    found = scree.call("detect", id=opened["id"], arrays=arrays)
    size = arrays["poses"].nbytes + sum(one.nbytes for one in found.values() if isinstance(one, np.ndarray))
    calls, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        scree.call("detect", id=opened["id"], arrays=arrays)
        calls += 1
    rate = calls / (time.perf_counter() - began)
command = ["node", "--input-type=module", "-e", NODE, json.dumps(scene)]
node = float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
print(f"{side**3} bodies, {found['count']} contacts, {size / 1e6:.2f} MB a call")
print(f"Python: {rate:.0f} calls/s, {rate * size / 1e6:.0f} MB/s; Node: {node:.0f} calls/s")
