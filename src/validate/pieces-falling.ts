/** Figure 9 of Neumayr and Otter (2017), as a scene file has it: demos/scenes/pieces-falling.json. */

/** Of the ring of the crown, and of its feet. */
const WEDGES = 66;
const RADII = [0.2, 0.24] as const;
const FEET = 4;

/** No -0, which files do not have. */
const rounded = (x: number) => Number(x.toFixed(6)) + 0;

function turn(axis: readonly number[], angle: number): number[] {
  const length = Math.hypot(...axis);
  return [...axis.map((x) => rounded((x / length) * Math.sin(angle / 2))), rounded(Math.cos(angle / 2))];
}

/** A piece of the ring, which the next one lies flush on. */
function wedge(): number[] {
  const half = Math.PI / WEDGES;
  return [-half, half].flatMap((angle) =>
    RADII.flatMap((radius) =>
      [-0.02, 0.02].flatMap((z) => [rounded(radius), rounded(radius * Math.tan(angle)), z]),
    ),
  );
}

/**
 * A cylinder, a ball, a crown of 70 convex parts and a table of 6 fall on a box: 79 shapes, which are 651 pairs. The
 * paper has no sizes, masses or materials.
 */
export function piecesFalling() {
  const steel = {
    density: 8000,
    youngsModulus: 20000000,
    poissonRatio: 0.3,
    restitution: 0.5,
    friction: 0.5,
  };
  const crown = [
    ...Array.from({ length: WEDGES }, (_, i) => ({
      shape: 'wedge',
      rotation: turn([0, 0, 1], (2 * Math.PI * i) / WEDGES),
    })),
    ...Array.from({ length: FEET }, (_, i) => {
      const angle = (2 * Math.PI * i) / FEET;
      return {
        shape: 'foot',
        position: [rounded(0.22 * Math.cos(angle)), rounded(0.22 * Math.sin(angle)), -0.07],
      };
    }),
  ];
  const legs = [1, -1].flatMap((x) =>
    [1, -1].map((y) => ({ shape: 'leg', position: [0.1 * x, 0.1 * y, -0.062] })),
  );
  const table = [{ shape: 'board' }, ...legs, { shape: 'rail', position: [0, 0.1, -0.07] }];
  const body = (shape: string, position: readonly number[], rotation?: readonly number[]) => ({
    ...{ name: shape, shape, material: 'steel', position },
    ...(rotation && { rotation }),
  });
  return {
    shapes: {
      cylinder: { kind: 'cylinder', radius: 0.04, halfHeight: 0.06 },
      ground: { kind: 'box', halfExtents: [0.8, 0.8, 0.05] },
      ball: { kind: 'sphere', radius: 0.05 },
      wedge: { kind: 'polytope', vertices: wedge() },
      foot: { kind: 'box', halfExtents: [0.018, 0.018, 0.05] },
      board: { kind: 'box', halfExtents: [0.12, 0.12, 0.012] },
      leg: { kind: 'box', halfExtents: [0.012, 0.012, 0.05] },
      rail: { kind: 'box', halfExtents: [0.088, 0.008, 0.008] },
      crown: { kind: 'parts', parts: crown },
      table: { kind: 'parts', parts: table },
    },
    materials: { steel: { ...steel, rollingFriction: 0.03, torsionalFriction: 0.02 } },
    bodies: [
      body('cylinder', [0.5, 0.02, 0.5], turn([1, 0.5, 0], 0.3)),
      { ...body('ground', [0, 0, -0.05]), static: true },
      body('ball', [-0.24, 0.03, 0.36]),
      body('crown', [0, 0, 0.18], turn([1, 0.3, 0], 0.08)),
      body('table', [0.4, 0.05, 0.3], turn([0, 1, 0.2], 0.4)),
    ],
    duration: 4,
  };
}
