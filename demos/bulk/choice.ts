/** What can be chosen on the page, within which limits, and what is taken where nobody chose. */
import type { AdapterPreference, AdapterSummary, ResponseName } from '../../src/index.ts';
import { type Fields, type NumberRange, numberIn, oneOf, readAddress } from '../page/address.ts';

export const SCENES = ['hopper', 'heap', 'drum', 'conveyor', 'tumbling-rocks'] as const;
export type SceneName = (typeof SCENES)[number];
export const SHAPES = ['rocks', 'hulls', 'balls', 'cubes', 'pills', 'angles'] as const;
export type ShapeName = (typeof SHAPES)[number];
/** Bulk rubs: responses without friction are not for it. */
export const BULK_RESPONSES = ['forces', 'impulses', 'olvang'] as const satisfies readonly ResponseName[];
export const BACKENDS = ['auto', 'gpu', 'cpu'] as const;
export const ADAPTERS = ['auto', 'hardware', 'software'] as const satisfies readonly AdapterPreference[];

export interface Choice {
  readonly scene: SceneName;
  readonly shape: ShapeName;
  /** Bodies that forces move. */
  readonly count: number;
  /** Coulomb's coefficient between rocks. That between rocks and walls changes by the same factor. */
  readonly friction: number;
  /** Of all materials. */
  readonly restitution: number;
  /** Simulated seconds per second at most. */
  readonly speed: number;
  /** What steps do with contacts. */
  readonly response: ResponseName;
  readonly backend: (typeof BACKENDS)[number];
  readonly adapter: AdapterPreference;
}

export const RANGES = {
  count: { low: 8, high: 20_000, whole: true },
  friction: { low: 0, high: 1 },
  restitution: { low: 0.01, high: 0.9 },
  speed: { low: 0.01, high: 2 },
} as const satisfies Partial<Record<keyof Choice, NumberRange>>;

const FIELDS: Fields<Choice> = {
  scene: oneOf(SCENES),
  shape: oneOf(SHAPES),
  count: numberIn(RANGES.count),
  friction: numberIn(RANGES.friction),
  restitution: numberIn(RANGES.restitution),
  speed: numberIn(RANGES.speed),
  response: oneOf(BULK_RESPONSES),
  backend: oneOf(BACKENDS),
  adapter: oneOf(ADAPTERS),
};

/** What the scenes' files say of their rocks, and how many bodies a machine of each kind begins with. */
const OF_SCENE: Record<
  SceneName,
  Pick<Choice, 'friction' | 'restitution'> & { readonly counts: Record<MachineKind, number> }
> = {
  hopper: { friction: 0.5, restitution: 0.2, counts: { none: 40, software: 80, hardware: 120 } },
  heap: { friction: 0.7, restitution: 0.2, counts: { none: 30, software: 60, hardware: 120 } },
  drum: { friction: 0.5, restitution: 0.3, counts: { none: 24, software: 36, hardware: 80 } },
  conveyor: { friction: 0.6, restitution: 0.3, counts: { none: 30, software: 60, hardware: 120 } },
  'tumbling-rocks': { friction: 0.5, restitution: 0.5, counts: { none: 16, software: 32, hardware: 80 } },
};

/** What steps and pictures are made by: a GPU, its stand-in on the CPU, or no WebGPU at all. */
export type MachineKind = 'hardware' | 'software' | 'none';

/** @param adapter of the device; undefined where there is none */
export function machineKindOf(adapter: Pick<AdapterSummary, 'software'> | undefined): MachineKind {
  if (adapter === undefined) return 'none';
  return adapter.software ? 'software' : 'hardware';
}

/** What is taken where nobody chose. */
export function defaultChoice(machine: MachineKind, scene: SceneName = 'hopper'): Choice {
  const { counts, friction, restitution } = OF_SCENE[scene];
  return {
    ...{ scene, shape: 'rocks', count: counts[machine], friction, restitution, speed: 1 },
    ...{ response: 'impulses', backend: 'auto', adapter: 'auto' },
  };
}

/**
 * The choice that an address has. Defaults are those of its scene.
 *
 * @param search of `location`
 * @returns the choice, and a line for each thing that is not there or cannot be
 */
export function readChoice(search: string, machine: MachineKind) {
  const { choice } = readAddress(search, FIELDS, defaultChoice(machine));
  const defaults = defaultChoice(machine, choice.scene);
  return readAddress(search, FIELDS, defaults);
}

/** The adapter that an address asks for: it is opened before it is known what kind it is. */
export function adapterChoice(search: string): AdapterPreference {
  return readChoice(search, 'none').choice.adapter;
}
