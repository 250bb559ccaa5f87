/** What the viewer shows in space: a mesh with its bad edges, flagged points, a slice, and winding numbers on it. */
import {
  type BufferAttribute,
  DataTexture,
  DoubleSide,
  Mesh,
  MeshBasicNodeMaterial,
  PlaneGeometry,
  SRGBColorSpace,
  Vector4,
} from 'three/webgpu';
import type { Box, EdgePlace, MeshReport, TriangleMesh } from '../../src/index.ts';
import type { Stage } from '../view/stage.ts';
import { ThickLines } from '../view/thick-lines.ts';
import { PointCloud } from './point-cloud.ts';
import { type MeshStyle, Surface } from './surface.ts';
import { CUT_AWAY, visiblePoints } from './visible-points.ts';
import { axesOf, type Slice, type SliceGrid, type WindingRange, windingColours } from './winding-map.ts';

export type Flagged = 'inside' | 'outside' | 'boundary';

/** Of the flags OUTSIDE, INSIDE and BOUNDARY, in the order of their numbers. */
const NAMES: readonly Flagged[] = ['outside', 'inside', 'boundary'];
/** Radius of a point as a share of the points' mean distance. */
const RADIUS = 0.3;
/** Outside points below a slice would hide the body: they are drawn this far down, in the points' mean distances. */
const LAYER = 1.02;
/** Kinds of points: the flags, and what two methods answer differently. */
const DIFFERS = 3;
/** Around a body that is not cut open, points would hide it. */
const SIZES = { outside: 0.55, around: 0.22, inside: 1, boundary: 1.15, differs: 1.8 };
/** Width of lines, in CSS pixels. */
const EDGE_WIDTH = 3.5;
const FRAME_WIDTH = 1.5;
/** How much of the box is surely in sight at first, along each axis. */
const FRAMED = 0.8;

/** Edges of a health report by what is wrong with them, and the variable with their colour. */
const BAD_EDGES = [
  { variable: '--open-edge', of: (report: MeshReport) => [report.boundaryEdges, report.oddEdges] },
  { variable: '--many-faced-edge', of: (report: MeshReport) => [report.nonManifoldEdges] },
  { variable: '--turned-edge', of: (report: MeshReport) => [report.wronglyOrientedEdges] },
];

export class InsideDrawing {
  readonly #stage: Stage;
  /** Of the mesh, what has dot(xyz, place) > w is cut away: nothing at first. */
  readonly #cut = new Vector4(0, 0, 0, 1);
  readonly #cloud = new PointCloud(4);
  readonly #differing = new PointCloud(4);
  readonly #surface: Surface;
  readonly #edges: { readonly line: ThickLines; readonly variable: string }[] = [];
  readonly #map = new Mesh(new PlaneGeometry(1, 1), new MeshBasicNodeMaterial({ side: DoubleSide }));
  readonly #frame = new ThickLines(FRAME_WIDTH);
  readonly #forgetColours: () => void;
  readonly #shown: Record<Flagged, boolean> = { inside: true, outside: true, boundary: true };
  /** The scene's origin and unit in the mesh's: the float32 of the GPU then holds any mesh. */
  #origin: readonly number[] = [0, 0, 0];
  #unit = 1;
  #box: Box | undefined;
  #slice: Slice | undefined;
  #points: ArrayLike<number> = [];
  #flags: ArrayLike<number> = [];
  #differences: ArrayLike<number> = [];
  /** The points' mean distance, if all filled their box evenly. */
  #distance = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    // A software adapter would take as long for it as for all else.
    this.#surface = new Surface(this.#cut, !stage.isSoftware);
    this.#map.visible = false;
    // The slice's outline lies in the same plane.
    Object.assign(this.#map.material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 });
    stage.scene.add(
      this.#surface.object,
      this.#cloud.mesh,
      this.#differing.mesh,
      this.#map,
      this.#frame.mesh,
    );
    this.#forgetColours = stage.withColours(() => this.#takeColours());
  }

  /**
   * Frames a box in which everything lies, in the mesh's unit. To be called before all else, and for each other mesh:
   * points are forgotten.
   */
  setBox(box: Box): void {
    [this.#points, this.#flags, this.#differences] = [[], [], []];
    this.#origin = box.min.map((low, k) => (low + box.max[k]!) / 2);
    this.#unit = Math.max(...box.min.map((low, k) => box.max[k]! - low)) / 2 || 1;
    this.#box = box;
    // Corners are empty, mostly.
    const place = (corner: readonly number[]) =>
      corner.map((x, k) => FRAMED * this.#placed(x, k)) as [number, number, number];
    this.#stage.frameBox({ min: place(box.min), max: place(box.max) });
    this.#showFrame();
  }

  /** Shows a mesh and the edges that its report gives as examples. */
  setMesh(mesh: TriangleMesh | undefined, report?: MeshReport): void {
    this.#surface.setTriangles(this.#placedAll(mesh?.positions ?? []), mesh?.indices ?? new Uint32Array());
    for (const { line } of this.#edges.splice(0)) line.dispose();
    for (const { variable, of } of report ? BAD_EDGES : []) {
      const edges = of(report!).flatMap(({ examples }) => examples);
      if (edges.length > 0) this.#addEdges(edges, variable);
    }
    this.#takeColours();
  }

  /** Default `solid`. */
  setMeshStyle(style: MeshStyle): void {
    this.#surface.setStyle(style);
    this.#stage.requestRender();
  }

  /**
   * Shows points, `[x, y, z]` each, with their flags. The arrays are kept.
   *
   * @param differences indices of points that are marked
   */
  setCloud(points: ArrayLike<number>, flags: ArrayLike<number>, differences: ArrayLike<number> = []): void {
    this.#points = points;
    this.#flags = flags;
    this.#differences = differences;
    this.#distance = distanceOf(points);
    this.#fillCloud();
  }

  /** Which points are shown. Default all. */
  setShown(shown: Partial<Record<Flagged, boolean>>): void {
    Object.assign(this.#shown, shown);
    this.#fillCloud();
  }

  /**
   * Cuts away what lies before a plane. Of points outside the layer at the plane is shown alone, as the others would
   * hide the body.
   */
  setSlice(slice: Slice | undefined): void {
    this.#slice = slice;
    const normal = [0, 0, 0];
    if (slice) normal[slice.axis] = CUT_AWAY[slice.axis];
    const at = slice ? this.#placed(slice.at, slice.axis) * CUT_AWAY[slice.axis] : 1;
    this.#cut.set(normal[0]!, normal[1]!, normal[2]!, at);
    this.#showFrame();
    this.#fillCloud();
    this.#takeColours();
  }

  /** Shows numbers on a plane, a value per point of the grid. */
  setWinding(grid: SliceGrid | undefined, values: ArrayLike<number>, range: WindingRange): void {
    const { material } = this.#map;
    material.map?.dispose();
    material.map = null;
    this.#map.visible = grid !== undefined;
    if (grid) {
      const texture = new DataTexture(windingColours(values, range), grid.columns, grid.rows);
      texture.colorSpace = SRGBColorSpace;
      texture.needsUpdate = true;
      material.map = texture;
      this.#placeMap(grid);
    }
    material.needsUpdate = true;
    this.#stage.requestRender();
  }

  /** Gives back all GPU memory that it made. */
  destroy(): void {
    this.#forgetColours();
    this.#cloud.dispose();
    this.#differing.dispose();
    for (const { line } of this.#edges) line.dispose();
    this.#frame.dispose();
    this.#surface.dispose();
    this.#map.removeFromParent();
    this.#map.geometry.dispose();
    this.#map.material.dispose();
    this.#map.material.map?.dispose();
  }

  /** A coordinate in the scene. */
  #placed(x: number, axis: number): number {
    return (x - this.#origin[axis]!) / this.#unit;
  }

  #placedAll(positions: ArrayLike<number>): Float32Array<ArrayBuffer> {
    const out = new Float32Array(positions.length);
    for (let i = 0; i < out.length; i++) out[i] = this.#placed(positions[i]!, i % 3);
    return out;
  }

  /** Some points of the cloud, by their indices, with a kind each. */
  #placedPoints(indices: ArrayLike<number>, kind: (point: number) => number): Float32Array<ArrayBuffer> {
    const out = new Float32Array(4 * indices.length);
    for (let i = 0; i < indices.length; i++) {
      const point = indices[i]!;
      for (let k = 0; k < 3; k++) out[4 * i + k] = this.#placed(this.#points[3 * point + k]!, k);
      out[4 * i + 3] = kind(point);
    }
    return out;
  }

  #fillCloud(): void {
    const flags = this.#flags;
    const cloud = {
      points: this.#points,
      flags,
      isShown: NAMES.map((name) => this.#shown[name]),
      slice: this.#slice,
      layer: LAYER * this.#distance,
    };
    const radius = (RADIUS * this.#distance) / this.#unit;
    this.#cloud.setPoints(
      this.#placedPoints(visiblePoints(cloud), (point) => flags[point]!),
      radius,
    );
    const marked = { ...cloud, isShown: [true, true, true], layer: Infinity };
    this.#differing.setPoints(
      this.#placedPoints(visiblePoints(marked, this.#differences), () => DIFFERS),
      radius,
    );
    this.#stage.requestRender();
  }

  #addEdges(edges: readonly EdgePlace[], variable: string): void {
    const line = new ThickLines(EDGE_WIDTH);
    line.setSegments(this.#placedAll(edges.flatMap(({ positions }) => positions.flat())));
    line.mesh.material.maskNode = this.#surface.stays;
    this.#edges.push({ line, variable });
    this.#stage.scene.add(line.mesh);
  }

  /** The slice's outline. */
  #showFrame(): void {
    const slice = this.#slice;
    const box = this.#box;
    if (!slice || !box) {
      this.#frame.setSegments([]);
      return;
    }
    const [u, v] = axesOf(slice);
    const corner = (a: number, b: number) => {
      const at = [0, 0, 0];
      at[slice.axis] = slice.at;
      at[u] = a ? box.max[u]! : box.min[u]!;
      at[v] = b ? box.max[v]! : box.min[v]!;
      return at;
    };
    const around = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    const segments = around.flatMap((from, i) => [...from, ...around[(i + 1) % 4]!]);
    this.#frame.setSegments(this.#placedAll(segments));
  }

  /** The unit square with its corner (0, 0) at the grid's low corner. */
  #placeMap({ slice, low, high }: SliceGrid): void {
    const [u, v] = axesOf(slice);
    const positions = new Float32Array(12);
    // As the corners of PlaneGeometry: from the top left, row by row.
    for (const [i, [a, b]] of [
      [0, 1],
      [1, 1],
      [0, 0],
      [1, 0],
    ].entries()) {
      positions[3 * i + slice.axis] = this.#placed(slice.at, slice.axis);
      positions[3 * i + u] = this.#placed(a ? high[0] : low[0], u);
      positions[3 * i + v] = this.#placed(b ? high[1] : low[1], v);
    }
    const attribute = this.#map.geometry.getAttribute('position') as BufferAttribute;
    attribute.copyArray(positions).needsUpdate = true;
    this.#map.geometry.computeBoundingSphere();
  }

  #takeColours(): void {
    const stage = this.#stage;
    this.#surface.setColours(stage.colourOf('--surface'), stage.colourOf('--surface-back'));
    NAMES.forEach((name, flag) => {
      const isAround = name === 'outside' && this.#slice === undefined;
      this.#cloud.setLook(flag, stage.colourOf(`--${name}`), isAround ? SIZES.around : SIZES[name]);
    });
    this.#differing.setLook(DIFFERS, stage.colourOf('--differs'), SIZES.differs);
    for (const { line, variable } of this.#edges) line.colour.copy(stage.colourOf(variable));
    this.#frame.colour.copy(stage.colourOf('--accent'));
    stage.requestRender();
  }
}

/** The mean distance of points, if they filled their box evenly. */
function distanceOf(points: ArrayLike<number>): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, points[i]!);
    high[i % 3] = Math.max(high[i % 3]!, points[i]!);
  }
  const volume = low.reduce((product, x, k) => product * Math.max(0, high[k]! - x), 1);
  return Math.cbrt(volume / Math.max(1, points.length / 3));
}
