/** Where vertices of instances are: from a simulation's buffer on the GPU, or from poses that the host has. */
import {
  attribute,
  cross,
  float,
  ivec3,
  normalGeometry,
  positionGeometry,
  storage,
  transformNormalToView,
  uint,
  uintBitsToFloat,
  uvec3,
  vec3,
  vec4,
} from 'three/tsl';
import {
  InstancedBufferAttribute,
  type InstancedBufferGeometry,
  type Node,
  type NodeMaterial,
  type StorageBufferAttribute,
} from 'three/webgpu';
import { BodyStatus } from '../../src/index.ts';

/**
 * What of an instance the shaders need: its place relative to `focus`, whether it is there, and its unit quaternion.
 */
interface Placed {
  readonly origin: Node<'vec3'>;
  /** 0 for bodies that are not there: they have no extent, and so no pixels. */
  readonly size: Node<'float'>;
  readonly rotation: Node<'vec4'>;
}

export interface Placing {
  /** A place near the scene's middle that all is drawn relative to, so that float32 suffices. */
  readonly focus: readonly [number, number, number];
  /** Gives the instances of a geometry what the shaders need of these bodies. */
  addTo(geometry: InstancedBufferGeometry, bodies: Uint32Array): void;
  /** Places the vertices of a material's instances, in pictures and in maps of shadows, and turns their normals. */
  apply(material: NodeMaterial): void;
}

/** The bit of absent bodies in a record's flags. */
const IS_ABSENT = 2;
/** Of a record, in four words: cell and flags, fraction of a cell, quaternion. */
const RECORD = 3;

/** Bodies in the records of `Simulation.buffers`. */
export function placedByRecords(
  records: StorageBufferAttribute,
  cell: number,
  middle: readonly number[],
): Placing {
  const focusCell = middle.map((x) => Math.round(x / cell)) as [number, number, number];
  const words = storage(records, 'uvec4', records.count).toReadOnly();
  const first = uint(attribute('body', 'uint')).mul(RECORD);
  const [where, fraction, turn] = [0, 1, 2].map((k) => words.element(first.add(k)));
  // Differences of whole cells are exact, also where their words run over.
  const cells = ivec3(where!.xyz.sub(uvec3(...(focusCell.map((x) => x >>> 0) as [number, number, number]))));
  const placed: Placed = {
    origin: vec3(cells)
      .add(vec3(fraction!.xyz).mul(2 ** -32))
      .mul(cell),
    size: where!.w.bitAnd(uint(IS_ABSENT)).equal(uint(0)).select(float(1), float(0)),
    rotation: vec4(real(turn!.x), real(turn!.y), real(turn!.z), real(turn!.w)),
  };
  return {
    focus: focusCell.map((x) => x * cell) as [number, number, number],
    addTo: (geometry, bodies) => {
      geometry.setAttribute('body', new InstancedBufferAttribute(bodies, 1));
    },
    apply: (material) => place(material, placed),
  };
}

/** Bodies at poses that are given with each picture. */
export class PlacedByHost implements Placing {
  readonly focus: readonly [number, number, number];
  readonly #instances: {
    bodies: Uint32Array;
    places: InstancedBufferAttribute;
    turns: InstancedBufferAttribute;
  }[] = [];

  constructor(middle: readonly number[]) {
    this.focus = middle as [number, number, number];
  }

  addTo(geometry: InstancedBufferGeometry, bodies: Uint32Array): void {
    const places = new InstancedBufferAttribute(new Float32Array(4 * bodies.length), 4);
    const turns = new InstancedBufferAttribute(new Float32Array(4 * bodies.length), 4);
    geometry.setAttribute('place', places);
    geometry.setAttribute('turn', turns);
    this.#instances.push({ bodies, places, turns });
  }

  apply(material: NodeMaterial): void {
    const own = attribute('place', 'vec4') as Node<'vec4'>;
    place(material, { origin: own.xyz, size: own.w, rotation: attribute('turn', 'vec4') as Node<'vec4'> });
  }

  /** @param statuses `[n]`: `BodyStatus` */
  write(poses: Float64Array, statuses: ArrayLike<number>): void {
    for (const { bodies, places, turns } of this.#instances) {
      bodies.forEach((body, i) => {
        const at = 7 * body;
        for (let k = 0; k < 3; k++) places.array[4 * i + k] = poses[at + k]! - this.focus[k]!;
        places.array[4 * i + 3] = statuses[body] === BodyStatus.present ? 1 : 0;
        for (let k = 0; k < 4; k++) turns.array[4 * i + k] = poses[at + 3 + k]!;
      });
      places.needsUpdate = true;
      turns.needsUpdate = true;
    }
  }
}

/** The float32 with these bits. */
function real(bits: Node<'uint'>): Node<'float'> {
  return uintBitsToFloat(bits) as unknown as Node<'float'>;
}

function place(material: NodeMaterial, { origin, size, rotation }: Placed): void {
  material.positionNode = origin.add(turned(positionGeometry.mul(size), rotation));
  material.normalNode = transformNormalToView(turned(normalGeometry, rotation)).toVarying().normalize();
}

function turned(v: Node<'vec3'>, q: Node<'vec4'>): Node<'vec3'> {
  return v.add(cross(q.xyz, cross(q.xyz, v).add(v.mul(q.w))).mul(2));
}
