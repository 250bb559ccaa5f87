/** Draws the bodies of a simulation on a stage: from its buffers on the GPU, or from poses where the CPU makes the steps. */
import {
  BufferAttribute,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  type NodeMaterial,
  Raycaster,
  Vector2,
  Vector3,
} from 'three/webgpu';
import { staticBodies } from '../../src/dem/scene/model.ts';
import type { SimulationBuffers, SimulationScene } from '../../src/index.ts';
import { cutawayOf } from '../../src/render/cutaway.ts';
import { type DrawnShape, drawnShapes, VERTEX } from '../../src/render/meshes.ts';
import { attributeOnBuffer, type BorrowedAttribute } from '../view/gpu-attribute.ts';
import type { Stage } from '../view/stage.ts';
import { ForceLines } from './force-lines.ts';
import {
  glassMaterial,
  hash,
  inFrontOf,
  type Role,
  rockMaterial,
  share,
  tintOf,
  wallMaterial,
} from './materials.ts';
import { bodyOnRay, type Pickable } from './picking.ts';
import { PlacedByHost, type Placing, placedByRecords } from './placing.ts';

export interface BulkDrawn {
  readonly scene: SimulationScene;
  /** Of the simulation, on the stage's device. Undefined where the CPU makes the steps: `place` then says where bodies are. */
  readonly buffers: SimulationBuffers | undefined;
}

/** Forces of contacts. */
export interface ForceSegments {
  /** `[m * 6]`: both ends of each, in the scene's unit. */
  readonly segments: Float32Array | Float64Array;
  /** `[m]`: how large each is, in any unit. */
  readonly sizes: Float32Array | Float64Array;
}

/** What is drawn of bodies of one shape. */
interface Batch {
  readonly geometry: InstancedBufferGeometry;
  readonly bodies: Uint32Array;
}

/** The status of a body that is there. */
const IS_THERE = 1;
/** Faces of a body differ in lightness by so much, and hollows are darker by so much. */
const FACE_VARIATION = 0.08;
const HOLLOW_SHADE = 0.35;

export class BulkDrawing {
  readonly #stage: Stage;
  readonly #group = new Group();
  readonly #placing: Placing;
  readonly #records: BorrowedAttribute | undefined;
  readonly #batches: Batch[] = [];
  readonly #materials: NodeMaterial[] = [];
  readonly #pickable: Pickable;
  readonly #isStatic: Uint8Array;
  readonly #isCut: Uint8Array;
  readonly #forces: ForceLines;
  #highlighted: readonly number[] = [];
  #isDestroyed = false;

  /** The stage has to stand where the camera will be at first: vessels that hide bodies from there are cut open. */
  static create(stage: Stage, drawn: BulkDrawn): BulkDrawing {
    return new BulkDrawing(stage, drawn);
  }

  private constructor(stage: Stage, { scene, buffers }: BulkDrawn) {
    this.#stage = stage;
    const { shapes, poses } = scene.bodies;
    const isStatic = staticBodies(scene);
    const { vertices, shapes: drawn } = drawnShapes(scene.shapes);
    this.#isStatic = isStatic;
    this.#pickable = { vertices, drawn, shapes };
    const middle = middleOf(poses, isStatic);
    if (buffers) {
      this.#records = attributeOnBuffer(stage.renderer, buffers.bodies as GPUBuffer);
      this.#placing = placedByRecords(this.#records.attribute, buffers.cell, middle);
    } else this.#placing = new PlacedByHost(middle);

    const back = stage.camera.position.clone().sub(stage.controls.target).normalize();
    const framed = { shapes, isStatic, drawn };
    const { bodies: isCut, middle: through } = cutawayOf(
      framed,
      vertices,
      [poses],
      Float64Array.from(back.toArray()),
    );
    this.#isCut = isCut;
    this.#addBodies(vertices, drawn, through);
    const radii = drawn.filter(
      (one, shape) => one && shapes.some((s, i) => s === shape && isStatic[i] === 0),
    );
    this.#forces = new ForceLines(Math.max(...radii.map((one) => one!.radius), 0));
    this.#group.add(this.#forces.mesh);
    this.#group.position.fromArray(this.#placing.focus);
    stage.scene.add(this.#group);
    if (!buffers) this.place(Float64Array.from(poses), presentAtFirst(scene));
  }

  /**
   * Where bodies are, where the CPU makes the steps.
   *
   * @param poses `[n * 7]`
   * @param statuses `[n]`, as `Simulation.read` gives them
   */
  place(poses: Float64Array, statuses: Float64Array): void {
    if (!(this.#placing instanceof PlacedByHost)) throw new TypeError('bodies are drawn from the GPU');
    this.#placing.write(poses, statuses);
    this.moved();
  }

  /** The buffers on the GPU have changed: shadows are drawn anew with the next picture. */
  moved(): void {
    this.#stage.shadowsChanged();
  }

  /** Shows forces as bars, the largest the thickest, or hides them. */
  showForces(forces: ForceSegments | undefined): void {
    const { segments = [], sizes = [] } = forces ?? {};
    let largest = 0;
    for (const size of sizes) largest = Math.max(largest, size);
    const { focus } = this.#placing;
    this.#forces.show(
      Float32Array.from(segments, (x, i) => x - focus[i % 3]!),
      Float32Array.from(sizes, (one) => one / (largest || 1)),
    );
  }

  /** Marks a body, and those that touch it, in colours of their own; or none. */
  highlight(body: number | undefined, partners: ArrayLike<number> = []): void {
    const roles = new Map<number, Role>(this.#highlighted.map((one) => [one, 'plain']));
    this.#highlighted = body === undefined ? [] : [...Array.from(partners), body];
    for (const one of this.#highlighted) roles.set(one, one === body ? 'picked' : 'partner');
    for (const { geometry, bodies } of this.#batches) {
      const { tint } = geometry.attributes;
      if (tint === undefined) continue;
      bodies.forEach((one, i) => {
        const role = roles.get(one);
        if (role === undefined) return;
        tint.array.set(tintOf(one, role), 3 * i);
        (tint as BufferAttribute).needsUpdate = true;
      });
    }
  }

  /**
   * The moving body that is seen at a place of the canvas.
   *
   * @param x, y CSS pixels from the canvas's upper left corner
   * @param poses `[n * 7]`
   * @param statuses `[n]`
   */
  bodyAt(x: number, y: number, poses: Float64Array, statuses: Float64Array): number | undefined {
    const { clientWidth: width, clientHeight: height } = this.#stage.renderer.domElement;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.#stage.camera);
    // Walls hide what is behind them, and vessels are open.
    const isSeen = (body: number) => statuses[body] === IS_THERE && this.#isCut[body] === 0;
    const body = bodyOnRay(this.#pickable, caster.ray, poses, isSeen);
    return body !== undefined && this.#isStatic[body] === 0 ? body : undefined;
  }

  /** Frees all GPU memory that it made. The simulation's buffers stay. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#group.removeFromParent();
    for (const { geometry } of this.#batches) geometry.dispose();
    for (const material of this.#materials) material.dispose();
    this.#forces.destroy();
    this.#records?.release();
  }

  #addBodies(
    vertices: Float32Array,
    drawn: readonly (DrawnShape | undefined)[],
    cutThrough: Float64Array | undefined,
  ): void {
    const isInFront = cutThrough && inFrontOf(cutThrough);
    const rock = this.#made(rockMaterial(this.#placing));
    const facets = this.#made(rockMaterial(this.#placing, true));
    const wall = this.#made(wallMaterial(this.#placing));
    const cut = isInFront && {
      solid: this.#made(wallMaterial(this.#placing, isInFront)),
      glass: this.#made(glassMaterial(this.#placing, isInFront)),
    };
    drawn.forEach((shape, number) => {
      if (shape === undefined) return;
      const of = (isOne: (body: number) => boolean) =>
        Uint32Array.from(
          [...this.#pickable.shapes.keys()].filter((b) => this.#pickable.shapes[b] === number && isOne(b)),
        );
      const moving = of((body) => this.#isStatic[body] === 0);
      const solid = of((body) => this.#isStatic[body] === 1 && this.#isCut[body] === 0);
      const open = of((body) => this.#isCut[body] === 1);
      if (moving.length > 0) {
        const isFaceted = hasFacets(vertices, shape);
        const geometry = this.#geometryOf(vertices, shape, moving, isFaceted);
        const tints = Float32Array.from([...moving].flatMap((body) => tintOf(body, 'plain')));
        geometry.setAttribute('tint', new InstancedBufferAttribute(tints, 3));
        this.#add(geometry, isFaceted ? facets : rock);
      }
      if (solid.length > 0) this.#add(this.#geometryOf(vertices, shape, solid), wall);
      if (open.length > 0 && cut) {
        const geometry = this.#geometryOf(vertices, shape, open);
        this.#add(geometry, cut.solid);
        const glass = this.#add(geometry, cut.glass);
        glass.castShadow = false;
        glass.renderOrder = 1;
      }
    });
  }

  #made<T extends NodeMaterial>(material: T): T {
    this.#materials.push(material);
    return material;
  }

  #add(geometry: InstancedBufferGeometry, material: NodeMaterial): Mesh {
    const mesh = new Mesh(geometry, material);
    // Instances are not where the geometry is.
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    this.#group.add(mesh);
    return mesh;
  }

  /** Corners that look the same are one vertex: of facets those at the same place, as their normals are known anyway. */
  #geometryOf(vertices: Float32Array, shape: DrawnShape, bodies: Uint32Array, isFaceted = false) {
    const { firstVertex, vertexCount } = shape;
    const known = new Map<string, number>();
    const corners: number[] = [];
    const index = Uint16Array.from({ length: vertexCount }, (_, i) => {
      const at = VERTEX * (firstVertex + i);
      const key = vertices.subarray(at, at + (isFaceted ? 3 : VERTEX)).join(' ');
      const vertex = known.get(key) ?? corners.push(i) - 1;
      known.set(key, vertex);
      return vertex;
    });
    const part = (at: number) =>
      Float32Array.from(
        corners.flatMap((i) => {
          const from = VERTEX * (firstVertex + i) + at;
          return [...vertices.subarray(from, from + 3)];
        }),
      );
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.setAttribute('position', new BufferAttribute(part(0), 3));
    geometry.setAttribute('normal', new BufferAttribute(part(3), 3));
    const shades = shadesOf(vertices, shape);
    geometry.setAttribute(
      'shade',
      new BufferAttribute(
        Float32Array.from(corners, (i) => shades[i]!),
        1,
      ),
    );
    geometry.instanceCount = bodies.length;
    this.#placing.addTo(geometry, bodies);
    this.#batches.push({ geometry, bodies });
    return geometry;
  }
}

/** Whether each triangle of a body has one normal. */
function hasFacets(vertices: Float32Array, { firstVertex, vertexCount }: DrawnShape): boolean {
  for (let i = firstVertex; i < firstVertex + vertexCount; i += 3) {
    for (let k = 3; k < VERTEX; k++) {
      const [a, b, c] = [0, 1, 2].map((corner) => vertices[VERTEX * (i + corner) + k]);
      if (a !== b || b !== c) return false;
    }
  }
  return true;
}

/** How light each vertex of a body is. */
function shadesOf(
  vertices: Float32Array,
  { firstVertex, vertexCount, center, radius }: DrawnShape,
): Float32Array {
  const [at, middle] = [new Vector3(), new Vector3(...center)];
  return Float32Array.from({ length: vertexCount }, (_, i) => {
    const out = at.fromArray(vertices, VERTEX * (firstVertex + i)).distanceTo(middle) / radius;
    const face = 1 + FACE_VARIATION * (2 * share(hash(Math.floor(i / 3))) - 1);
    return face * (1 - HOLLOW_SHADE * Math.min(1, Math.max(0, (0.9 - out) / 0.6)));
  });
}

/** Of the places of bodies that move; of all where none does. */
function middleOf(poses: ArrayLike<number>, isStatic: Uint8Array): [number, number, number] {
  const all = [...isStatic.keys()];
  const moving = all.filter((body) => isStatic[body] === 0);
  const bodies = moving.length > 0 ? moving : all;
  return [0, 1, 2].map((k) => {
    const places = bodies.map((body) => poses[7 * body + k]!);
    const [low, high] = [Math.min(...places), Math.max(...places)];
    return (low + high) / 2;
  }) as [number, number, number];
}

function presentAtFirst({ bodies }: SimulationScene): Float64Array {
  return Float64Array.from(bodies.shapes, (_, body) => ((bodies.appearsAt?.[body] ?? 0) > 0 ? 0 : IS_THERE));
}
