"""YADE moves convex polyhedra, scree finds their contacts and forces: yade yade_polyhedra.py

YADE's own functors for polyhedra are left out of its engines. In each step poses go to scree, and forces of the pairs
that touch come back: scree's contacts, elastic forces and damping (docs/dem.md), YADE's integrator and recorders.
Springs of friction are stretched by scree's own steps alone, of which there are none here: bodies slide on each other.
"""
import os
import sys

import numpy as np
from yade import O, NewtonIntegrator, PyRunner, ForceResetter, polyhedra_utils, utils

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
from scree import Scree

GRAVITY = 9.81
material = utils.PolyhedraMat(density=2500, young=1e6, poisson=0.25, frictionAngle=0.46)
O.materials.append(material)
for i in range(3):
    for j in range(9):
        body = polyhedra_utils.polyhedra(material, size=(0.1, 0.1, 0.1), seed=10 * i + j)
        # They reach up to 0.085 from their centroids.
        body.state.pos = (0.17 * (j % 3), 0.17 * (j // 3), 0.085 + 0.17 * i)
        O.bodies.append(body)

# The same bodies for scree: their vertices, in the frame of each body, and the ground.
shapes = {f"rock {b.id}": {"kind": "polytope", "vertices": [list(v) for v in b.shape.v]} for b in O.bodies}
shapes["ground"] = {"kind": "plane"}
scene = {
    "shapes": shapes,
    "materials": {"rock": {"density": 2500, "youngsModulus": 1e6, "friction": 0}},
    "bodies": [{"shape": "ground"}] + [{"shape": f"rock {b.id}"} for b in O.bodies],
    # Bodies move by YADE's steps alone.
    "gravity": [0, 0, 0],
}
poses = np.zeros((1 + len(O.bodies), 7))
poses[0] = [0, 0, 0, 0, 0, 0, 1]
velocities = np.zeros((len(poses), 3))
turns = np.zeros((len(poses), 3))


def put():
    for row, b in enumerate(O.bodies, 1):
        poses[row] = [*b.state.pos, b.state.ori[0], b.state.ori[1], b.state.ori[2], b.state.ori[3]]
        velocities[row] = b.state.vel
        turns[row] = b.state.angVel


put()
for entry, pose in zip(scene["bodies"], poses.tolist()):
    entry.update(position=pose[:3], rotation=pose[3:])
scree = Scree()
opened = scree.call("simulation", scene=scene)
# What the ground carries in each step.
carried = []


def forces_of_contacts():
    """No step of scree's: it evaluates contacts and forces where YADE has put the bodies."""
    put()
    arrays = {"poses": poses, "velocities": velocities, "angularVelocities": turns}
    found = scree.call("step", id=opened["id"], count=0, arrays=arrays, read=["forces", "torques"])
    carried.append(-found["forces"][0][2])
    for row, b in enumerate(O.bodies, 1):
        O.forces.addF(b.id, tuple(found["forces"][row]))
        O.forces.addT(b.id, tuple(found["torques"][row]))


O.engines = [
    ForceResetter(),
    PyRunner(command="forces_of_contacts()", iterPeriod=1),
    NewtonIntegrator(damping=0.1, gravity=(0, 0, -GRAVITY)),
]
O.dt = 0.5 * opened["timeStep"]
O.run(6000, True)
print("heights:", sorted(round(b.state.pos[2], 3) for b in O.bodies))
weight = GRAVITY * sum(b.state.mass for b in O.bodies)
print(f"the ground carries {np.mean(carried[-500:]) / weight:.3f} of the weight, after {O.time:.2f} s")
