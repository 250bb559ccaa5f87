/**
 * Draws the bodies of a simulation on a stage: from its buffers on the GPU, or from poses where the CPU makes the
 * steps.
 */
import {
  type BufferAttribute,
  Group,
  InstancedBufferAttribute,
  type InstancedBufferGeometry,
  Mesh,
  type NodeMaterial,
  Raycaster,
  Vector2,
} from 'three/webgpu';
import { staticBodies } from '../../src/dem/scene/model.ts';
import { BodyStatus, type SimulationBuffers, type SimulationScene } from '../../src/index.ts';
import { cutawayOf } from '../../src/render/cutaway.ts';
import { type FramedBodies, placed } from '../../src/render/framing.ts';
import { drawnShapes } from '../../src/render/meshes.ts';
import { attributeOnBuffer, type BorrowedAttribute } from '../view/gpu-attribute.ts';
import type { Stage } from '../view/stage.ts';
import { ForceLines } from './force-lines.ts';
import {
  BeltMaterial,
  type Cut,
  glassMaterial,
  type Role,
  rockMaterial,
  tintOf,
  wallMaterial,
} from './materials.ts';
import { bodyOnRay, type Pickable } from './picking.ts';
import { PlacedByHost, type Placing, placedByRecords } from './placing.ts';
import { hasFacets, surfaceOf } from './surface.ts';

export interface BulkDrawn {
  readonly scene: SimulationScene;
  /**
   * Of the simulation, on the stage's device. Undefined where the CPU makes the steps: `place` then says where bodies
   * are.
   */
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

/** Way from one cleat of a belt to the next, in radii of bodies. */
const CLEAT_SPACING = 4;
/** Vessels are round where their widths along x and y differ by less than this share. */
const ROUNDNESS = 0.05;

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
  /** The picked body, those that it touches, and shares of what colours say, `[n]`. */
  #picked: number | undefined;
  #partners: ReadonlySet<number> = new Set();
  #shares: Float64Array | undefined;
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
    const radii = drawn.filter(
      (one, shape) => one && shapes.some((s, i) => s === shape && isStatic[i] === 0),
    );
    const size = Math.max(...radii.map((one) => one!.radius), 0);
    const cut = through && { through, isRound: isRound(framed, isCut, poses) };
    const belts = beltsOf(scene, isCut);
    this.#addBodies(cut, belts);
    for (const [body, velocity] of belts) {
      const material = this.#made(new BeltMaterial(this.#placing, velocity, CLEAT_SPACING * size));
      this.#add(this.#geometryOf(shapes[body]!, Uint32Array.of(body)), material);
    }
    this.#forces = new ForceLines(size);
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

  /** Simulated seconds: how far belts have run. */
  set time(seconds: number) {
    for (const material of this.#materials) if (material instanceof BeltMaterial) material.time = seconds;
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

  /** Marks a body, and those that touch it, in colours of their own, and dims the others; or none. */
  highlight(body: number | undefined, partners: ArrayLike<number> = []): void {
    this.#picked = body;
    this.#partners = new Set(Array.from(partners));
    this.#tint();
  }

  /** Colours bodies by a number of each, 0 to 1, `[n]`; undefined: each body has its own colour. */
  colour(shares: Float64Array | undefined): void {
    if (shares === undefined && this.#shares === undefined) return;
    this.#shares = shares;
    this.#tint();
  }

  #tint(): void {
    const roleOf = (one: number): Role => {
      if (this.#picked === undefined) return 'plain';
      if (one === this.#picked) return 'picked';
      return this.#partners.has(one) ? 'partner' : 'other';
    };
    for (const { geometry, bodies } of this.#batches) {
      const { tint } = geometry.attributes;
      if (tint === undefined) continue;
      bodies.forEach((one, i) => {
        tint.array.set(tintOf(one, roleOf(one), this.#shares?.[one]), 3 * i);
      });
      (tint as BufferAttribute).needsUpdate = true;
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
    const isSeen = (body: number) => statuses[body] === BodyStatus.present && this.#isCut[body] === 0;
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

  #addBodies(cut: Cut | undefined, belts: ReadonlyMap<number, unknown>): void {
    const { vertices, drawn, shapes } = this.#pickable;
    const rock = this.#made(rockMaterial(this.#placing));
    const facets = this.#made(rockMaterial(this.#placing, true));
    const wall = this.#made(wallMaterial(this.#placing));
    const vessel = cut && {
      solid: this.#made(wallMaterial(this.#placing, cut)),
      glass: this.#made(glassMaterial(this.#placing, cut)),
    };
    drawn.forEach((shape, number) => {
      if (shape === undefined) return;
      const bodies = [...shapes.keys()].filter((body) => shapes[body] === number && !belts.has(body));
      const of = (isOne: (body: number) => boolean) => Uint32Array.from(bodies.filter(isOne));
      const moving = of((body) => this.#isStatic[body] === 0);
      const solid = of((body) => this.#isStatic[body] === 1 && this.#isCut[body] === 0);
      const open = of((body) => this.#isCut[body] === 1);
      if (moving.length > 0) {
        const isFaceted = hasFacets(vertices, shape);
        const geometry = this.#geometryOf(number, moving, isFaceted);
        const tints = Float32Array.from([...moving].flatMap((body) => tintOf(body, 'plain')));
        geometry.setAttribute('tint', new InstancedBufferAttribute(tints, 3));
        this.#add(geometry, isFaceted ? facets : rock);
      }
      if (solid.length > 0) this.#add(this.#geometryOf(number, solid), wall);
      if (open.length > 0 && vessel) {
        const geometry = this.#geometryOf(number, open);
        this.#add(geometry, vessel.solid);
        const glass = this.#add(geometry, vessel.glass);
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

  #geometryOf(shape: number, bodies: Uint32Array, isFaceted = false): InstancedBufferGeometry {
    const { vertices, drawn } = this.#pickable;
    const geometry = surfaceOf(vertices, drawn[shape]!, isFaceted);
    geometry.instanceCount = bodies.length;
    this.#placing.addTo(geometry, bodies);
    this.#batches.push({ geometry, bodies });
    return geometry;
  }
}

/** Belts that run, with their velocities. */
function beltsOf({ bodies }: SimulationScene, isCut: Uint8Array): Map<number, readonly number[]> {
  const belts = new Map<number, readonly number[]>();
  for (const [body, { surfaceVelocity }] of bodies.motions ?? []) {
    if (surfaceVelocity?.some((v) => v !== 0) && isCut[body] === 0) belts.set(body, surfaceVelocity);
  }
  return belts;
}

/** Whether vessels are as wide along x as along y. */
function isRound({ shapes, drawn }: FramedBodies, isCut: Uint8Array, poses: ArrayLike<number>): boolean {
  const width = [0, 0];
  isCut.forEach((cut, body) => {
    const shape = drawn[shapes[body]!];
    if (cut === 0 || shape === undefined) return;
    const middle = placed(shape.center, poses, body);
    for (let k = 0; k < 8; k++) {
      const corner = shape.center.map((x, axis) => x + (k & (1 << axis) ? 1 : -1) * shape.half[axis]!);
      const at = placed(corner, poses, body);
      for (const axis of [0, 1]) width[axis] = Math.max(width[axis]!, Math.abs(at[axis]! - middle[axis]!));
    }
  });
  return Math.abs(width[0]! - width[1]!) < ROUNDNESS * Math.max(...width);
}

/** Of the places of bodies that move; of all where none does. */
function middleOf(poses: ArrayLike<number>, isStatic: Uint8Array): [number, number, number] {
  const all = [...isStatic.keys()];
  const moving = all.filter((body) => isStatic[body] === 0);
  const bodies = moving.length > 0 ? moving : all;
  return [0, 1, 2].map((k) => {
    let [low, high] = [Infinity, -Infinity];
    for (const body of bodies) {
      low = Math.min(low, poses[7 * body + k]!);
      high = Math.max(high, poses[7 * body + k]!);
    }
    return (low + high) / 2;
  }) as [number, number, number];
}

function presentAtFirst({ bodies }: SimulationScene): Float64Array {
  return Float64Array.from(bodies.shapes, (_, body) =>
    (bodies.appearsAt?.[body] ?? 0) > 0 ? BodyStatus.absent : BodyStatus.present,
  );
}
