/** Monitors that a scene asks for beside `Monitors`: at walls, at planes and in regions. */
import { requireArray, requireObject, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { BodyStatus } from '../motion/motion.ts';
import { requireBox, requireVector } from '../scene/check-scene.ts';
import type { PeriodicBox } from '../scene/simulation-scene.ts';
import { requireTouchingPairs, type TouchingPairs } from './touching-pairs.ts';

/** A box along the axes. */
export interface MonitorRegion {
  readonly low: Vector3;
  readonly high: Vector3;
}

export type SceneMonitor =
  /** The force of all that touches some bodies on these. */
  | { readonly kind: 'load'; readonly bodies: readonly number[] }
  /** Mass of bodies whose centroid is beyond a plane, on the side of its normal, or was removed there. */
  | { readonly kind: 'mass'; readonly point: Vector3; readonly normal: Vector3 }
  /** Mean number of bodies that a moving body in the region touches. Default: everywhere. */
  | { readonly kind: 'coordination'; readonly region: MonitorRegion | undefined }
  /** The stress tensor of bodies whose centroids are in the region: compression is above 0. */
  | { readonly kind: 'stress'; readonly region: MonitorRegion };

/** By their names. */
export type SceneMonitors = Readonly<Record<string, SceneMonitor>>;

/** Columns of each kind, behind the monitor's name. */
const COMPONENTS: Readonly<Record<SceneMonitor['kind'], readonly string[]>> = {
  load: ['.x', '.y', '.z'],
  mass: [''],
  coordination: [''],
  stress: ['.xx', '.yy', '.zz', '.xy', '.xz', '.yz'],
};
export const MONITOR_KINDS = Object.keys(COMPONENTS) as readonly SceneMonitor['kind'][];

/**
 * Names of the columns of monitors, in the order of `monitorValues`.
 *
 * @throws InputError for a kind that there is not
 */
export function monitorColumns(
  monitors: Readonly<Record<string, { readonly kind: SceneMonitor['kind'] }>>,
): string[] {
  requireKinds('monitorColumns: monitors', monitors);
  return Object.entries(monitors).flatMap(([name, { kind }]) =>
    COMPONENTS[kind].map((end) => `${name}${end}`),
  );
}

function requireKinds(place: string, monitors: object): void {
  requireObject(place, monitors, 'monitors by name');
  for (const [name, one] of Object.entries(monitors)) {
    const kind = (one as SceneMonitor | null | undefined)?.kind;
    if (MONITOR_KINDS.includes(kind!)) continue;
    throw new InputError(`${place}: ${name}.kind: found ${told(kind)}, expected ${MONITOR_KINDS.join(', ')}`);
  }
}

/** @throws InputError unless each has what its kind asks for */
function requireMonitors(place: string, monitors: SceneMonitors): void {
  requireKinds(place, monitors);
  for (const [name, monitor] of Object.entries(monitors)) {
    const { bodies, point, normal, region } = monitor as Readonly<Record<string, unknown>>;
    if (monitor.kind === 'load' && !(Array.isArray(bodies) && bodies.every(Number.isInteger)))
      throw new InputError(`${place}: ${name}.bodies: found ${told(bodies)}, expected numbers of bodies`);
    const corners = region as MonitorRegion | null | undefined;
    const vectors = {
      ...(monitor.kind === 'mass' ? { point, normal } : {}),
      ...(monitor.kind === 'stress' || region !== undefined
        ? { 'region.low': corners?.low, 'region.high': corners?.high }
        : {}),
    };
    for (const [field, vector] of Object.entries(vectors))
      requireVector(`${place}: ${name}.${field}`, vector);
  }
}

/** A state, as `Simulation.read` gives it. */
export interface MonitoredState {
  /** `[n * 3]` */
  readonly centroids: Float64Array;
  /** `[n]`: of bodies that forces move; 0 for others. */
  readonly masses: Float64Array;
  /** `[n]` */
  readonly statuses: Float64Array;
}

/**
 * Values of all monitors, in the order of `monitorColumns`.
 *
 * @param pairs of `touchingPairs`
 * @param box where space repeats
 * @throws InputError for other arguments
 */
export function monitorValues(
  monitors: SceneMonitors,
  pairs: TouchingPairs,
  state: MonitoredState,
  box: PeriodicBox | undefined,
): number[] {
  requireMonitors('monitorValues: monitors', monitors);
  requireTouchingPairs('monitorValues: pairs', pairs);
  requireObject('monitorValues: state', state, 'centroids, masses and statuses');
  for (const field of ['masses', 'statuses', 'centroids'] as const)
    requireArray(`monitorValues: state.${field}`, state[field], [Float64Array], 'what read gives');
  if (box !== undefined) {
    requireObject('monitorValues: box', box, 'low, high and periodic');
    requireBox('monitorValues: box', box);
  }
  return Object.values(monitors).flatMap((monitor) => {
    if (monitor.kind === 'load') return loadOn(monitor.bodies, pairs);
    if (monitor.kind === 'mass') return [massBeyond(monitor, state)];
    if (monitor.kind === 'coordination') return [meanCoordination(monitor.region, pairs, state)];
    return stressIn(monitor.region, pairs, state, box);
  });
}

function loadOn(bodies: readonly number[], pairs: TouchingPairs): number[] {
  const own = new Set(bodies);
  const sum = [0, 0, 0];
  for (let i = 0; i < pairs.count; i++) {
    // Forces between them are no load from outside: they cancel.
    const sign = Number(own.has(pairs.bodies[2 * i + 1]!)) - Number(own.has(pairs.bodies[2 * i]!));
    for (let k = 0; k < 3; k++) sum[k]! += sign * pairs.forces[3 * i + k]!;
  }
  return sum;
}

function massBeyond(
  { point, normal }: { readonly point: Vector3; readonly normal: Vector3 },
  { centroids, masses, statuses }: MonitoredState,
): number {
  let sum = 0;
  for (let body = 0; body < masses.length; body++) {
    if (statuses[body] === BodyStatus.absent) continue;
    const height = [0, 1, 2].reduce((h, k) => h + normal[k]! * (centroids[3 * body + k]! - point[k]!), 0);
    if (height > 0) sum += masses[body]!;
  }
  return sum;
}

function isIn({ low, high }: MonitorRegion, centroids: Float64Array, body: number): boolean {
  return [0, 1, 2].every((k) => {
    const x = centroids[3 * body + k]!;
    return x >= low[k]! && x < high[k]!;
  });
}

/** Bodies that are there, that forces move, and whose centroids are in a region. */
function* bodiesIn(region: MonitorRegion | undefined, { centroids, masses, statuses }: MonitoredState) {
  for (let body = 0; body < masses.length; body++) {
    if (masses[body] === 0 || statuses[body] !== BodyStatus.present) continue;
    if (region === undefined || isIn(region, centroids, body)) yield body;
  }
}

function meanCoordination(
  region: MonitorRegion | undefined,
  pairs: TouchingPairs,
  state: MonitoredState,
): number {
  const own = new Set(bodiesIn(region, state));
  let ends = 0;
  for (const body of pairs.bodies) ends += Number(own.has(body));
  return own.size === 0 ? 0 : ends / own.size;
}

/**
 * Cauchy's stress of bodies in quasi-static equilibrium, after Love and Weber: the sum over contacts of force times the
 * way from the centroid to the contact, over the volume of the region. It is symmetric at rest; here it is made so.
 */
function stressIn(
  region: MonitorRegion,
  { count, bodies, points, forces }: TouchingPairs,
  state: MonitoredState,
  box: PeriodicBox | undefined,
): number[] {
  const own = new Set(bodiesIn(region, state));
  const sum = new Float64Array(9);
  for (let i = 0; i < count; i++) {
    for (const end of [0, 1]) {
      const body = bodies[2 * i + end]!;
      if (!own.has(body)) continue;
      for (let k = 0; k < 3; k++) {
        let way = points[3 * i + k]! - state.centroids[3 * body + k]!;
        // The point may be at a copy of the body.
        if (box?.periodic[k]) {
          const length = box.high[k]! - box.low[k]!;
          way -= length * Math.round(way / length);
        }
        for (let j = 0; j < 3; j++) sum[3 * j + k]! += (end === 1 ? 1 : -1) * forces[3 * i + j]! * way;
      }
    }
  }
  const volume = [0, 1, 2].reduce((product, k) => product * (region.high[k]! - region.low[k]!), 1);
  const at = (j: number, k: number) => -(sum[3 * j + k]! + sum[3 * k + j]!) / (2 * volume);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}
