/** Steps of a simulation on the host, in float64: the CPU backend, and the twin of the kernels. */
import type { ContactPipeline } from '../../contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import { tablesOf } from '../../contacts/pipeline/tables-of.ts';
import type { StoredState } from '../checkpoint/checkpoint.ts';
import { ContactForces, type ContactSums, type LossLoads } from '../forces/contact-forces.ts';
import { RANGE_WORDS } from '../forces/groups.ts';
import { driveBodies } from '../motion/drive.ts';
import { angularVelocity, drift, kick, type Loads, type MotionState } from '../motion/motion.ts';
import { type SimulationModel, writePoses } from '../scene/model.ts';

/** Energies, each a sum over all bodies or contacts. */
export interface Energies {
  /** Of motion and turning. */
  kinetic: number;
  /** In gravity: 0 where bodies were at first. */
  gravity: number;
  /** Of all springs at contacts. */
  elastic: number;
  /** Lost so far to dashpots at contacts, to sliding, to rolling and torsion. */
  dashpots: number;
  friction: number;
  rolling: number;
  /** Work so far of bodies with a prescribed motion on the others. */
  driven: number;
}

/** Energy per time that loads take from bodies, or that driven bodies give. */
type Powers = Record<'dashpots' | 'friction' | 'rolling' | 'driven', number>;

export class CpuSteps {
  readonly state: MotionState;
  readonly loads: Loads;
  readonly energies: Energies = {
    ...{ kinetic: 0, gravity: 0, elastic: 0, dashpots: 0, friction: 0, rolling: 0, driven: 0 },
  };
  /** Of the last step. */
  contacts: DetectedContacts | undefined;
  sums: ContactSums | undefined;
  /** Wall time of all steps by stage: those of `ContactSeconds`, `forces`, and `motion` with the sums over bodies. */
  readonly seconds: Record<string, number> = {};
  readonly #model: SimulationModel;
  readonly #pipeline: ContactPipeline;
  readonly #forces: ContactForces;
  readonly #poses: Float64Array;
  readonly #losses: LossLoads;
  /** At the end of the last step, and what tangential springs held. */
  #powers: Powers = { dashpots: 0, friction: 0, rolling: 0, driven: 0 };
  #tangential = 0;
  /** Heights of gravity's energy: positions at first. */
  readonly #start: Float64Array;

  constructor(
    model: SimulationModel,
    pipeline: ContactPipeline,
    halfPiece: (body: number, part: number, piece: number) => number,
  ) {
    const { count, state } = model;
    this.#model = model;
    this.#pipeline = pipeline;
    this.#forces = new ContactForces({ ...model.laws, halfPiece }, model.inertia);
    this.state = state;
    const newLoads = (): Loads => ({
      forces: new Float64Array(3 * count),
      torques: new Float64Array(3 * count),
    });
    this.loads = newLoads();
    this.#losses = { dashpots: newLoads(), friction: newLoads(), rolling: newLoads() };
    this.#poses = new Float64Array(7 * count);
    this.#start = state.positions.slice();
  }

  /** All that a step depends on, also what contacts take over from earlier ones. */
  store(): StoredState {
    const { history } = this.#forces;
    const { kept } = tablesOf.get(this.#pipeline)!.cpu;
    const { positions, rotations, velocities, momenta } = this.state;
    return {
      numbers: { ...this.energies, ...prefixed(this.#powers), tangentialEnergy: this.#tangential },
      arrays: {
        ...{ positions, rotations, velocities, momenta, ...this.loads, start: this.#start },
        ...(history && {
          ...{ contactBodies: history.contacts.bodies, contactParts: history.contacts.parts },
          ...{ contactKinds: history.contacts.kinds, contactFeatures: history.contacts.features },
          ...{ ranges: history.groups.ranges, tangential: history.tangential, rolling: history.rolling },
        }),
        ...(kept && {
          ...{ keptReference: kept.reference, keptPolyhedra: kept.polyhedra.pairs },
          ...{ keptPatches: kept.patches.pairs, keptConvex: kept.convex.pairs },
          keptMemory: kept.convex.remembered!,
        }),
      },
    };
  }

  /** @param stored of the same scene */
  restore({ numbers, arrays }: StoredState): void {
    const floats = (name: string) => arrays[name] as Float64Array;
    const words = (name: string) => arrays[name] as Uint32Array<ArrayBuffer>;
    for (const [name, array] of Object.entries({ ...this.state, ...this.loads, start: this.#start })) {
      if (typeof array !== 'number') (array as Float64Array).set(floats(name));
    }
    for (const name of Object.keys(this.energies)) this.energies[name as keyof Energies] = numbers[name]!;
    for (const name of Object.keys(this.#powers))
      this.#powers[name as keyof Powers] = numbers[`power:${name}`]!;
    this.#tangential = numbers.tangentialEnergy!;
    const kinds = arrays.contactKinds as Uint8Array<ArrayBuffer>;
    const contacts = {
      count: kinds.length,
      kinds,
      bodies: words('contactBodies'),
      parts: words('contactParts'),
    };
    const ranges = words('ranges');
    this.#forces.history = {
      contacts: { ...contacts, features: words('contactFeatures') },
      groups: { count: ranges.length / RANGE_WORDS, ranges },
      ...{ tangential: floats('tangential'), rolling: floats('rolling') },
    };
    tablesOf.get(this.#pipeline)!.cpu.keep({
      reference: floats('keptReference'),
      polyhedra: { pairs: words('keptPolyhedra') },
      patches: { pairs: words('keptPatches') },
      convex: { pairs: words('keptConvex'), remembered: words('keptMemory') },
    });
  }

  /** Contacts and forces where bodies are. */
  async begin(time: number, signal?: AbortSignal): Promise<void> {
    driveBodies(this.#model, this.state, time);
    await this.#evaluate(0, signal);
    this.#sumUp(0);
  }

  /** A step from `time` on. */
  async step(time: number, length: number, signal?: AbortSignal): Promise<void> {
    const { inertia } = this.#model;
    let began = performance.now();
    kick(this.state, inertia, this.loads, length / 2);
    drift(this.state, inertia, length);
    driveBodies(this.#model, this.state, time + length);
    this.#count('motion', began);
    await this.#evaluate(length, signal);
    began = performance.now();
    kick(this.state, inertia, this.loads, length / 2);
    this.#sumUp(length);
    this.#count('motion', began);
    const { total: _, gpu: __, ...stages } = this.contacts!.seconds;
    for (const [stage, seconds] of Object.entries(stages)) this.#add(stage, seconds);
  }

  #count(stage: string, began: number): void {
    this.#add(stage, (performance.now() - began) / 1000);
  }

  #add(stage: string, seconds: number): void {
    this.seconds[stage] = (this.seconds[stage] ?? 0) + seconds;
  }

  async #evaluate(length: number, signal: AbortSignal | undefined): Promise<void> {
    const { gravity, inertia } = this.#model;
    const { forces, torques } = this.loads;
    const { state } = this;
    let began = performance.now();
    writePoses(state, this.#model, this.#poses);
    this.#count('motion', began);
    this.contacts = await this.#pipeline.detect({
      ...{ poses: this.#poses, backend: 'cpu', signal },
    });
    began = performance.now();
    forces.fill(0);
    torques.fill(0);
    for (const { forces, torques } of Object.values(this.#losses)) {
      forces.fill(0);
      torques.fill(0);
    }
    this.sums = this.#forces.add(this.contacts, state, length, this.loads, this.#losses);
    this.#count('forces', began);
    for (let body = 0; body < state.count; body++) {
      const inverse = inertia.inverseMasses[body]!;
      if (inverse === 0) continue;
      for (let k = 0; k < 3; k++) forces[3 * body + k]! += gravity[k]! / inverse;
    }
  }

  /** Energies at the end of a step of this length. Loads act half a step before and half a step after it. */
  #sumUp(length: number): void {
    const { inertia, gravity } = this.#model;
    const { energies, state } = this;
    const { positions, velocities, momenta } = state;
    const { dashpots, friction, rolling } = this.#losses;
    const all = this.loads;
    const spin = new Float64Array(3);
    const now: Powers = { dashpots: 0, friction: 0, rolling: 0, driven: 0 };
    let [kinetic, potential] = [0, 0];
    for (let body = 0; body < state.count; body++) {
      const inverse = inertia.inverseMasses[body]!;
      const isDriven = inertia.isDriven[body] === 1;
      if (inverse === 0 && !isDriven) continue;
      angularVelocity(state, inertia, body, spin);
      for (let k = 0; k < 3; k++) {
        const at = 3 * body + k;
        const [v, w] = [velocities[at]!, spin[k]!];
        now.dashpots -= dashpots.forces[at]! * v + dashpots.torques[at]! * w;
        now.friction -= friction.forces[at]! * v + friction.torques[at]! * w;
        now.rolling -= rolling.forces[at]! * v + rolling.torques[at]! * w;
        if (isDriven) now.driven -= all.forces[at]! * v + all.torques[at]! * w;
        else {
          kinetic += (v ** 2 / inverse + momenta[at]! * w) / 2;
          potential -= (gravity[k]! / inverse) * (positions[at]! - this.#start[at]!);
        }
      }
    }
    const { elastic, tangential } = this.sums!;
    const work = (of: keyof Powers) => (length * (this.#powers[of] + now[of])) / 2;
    energies.dashpots += work('dashpots');
    energies.rolling += work('rolling');
    energies.driven += work('driven');
    // What tangential springs hold is not lost yet.
    energies.friction += work('friction') + this.#tangential - tangential;
    energies.elastic = elastic + tangential;
    energies.kinetic = kinetic;
    energies.gravity = potential;
    this.#powers = now;
    this.#tangential = tangential;
  }
}

function prefixed(powers: Powers): Record<string, number> {
  return Object.fromEntries(Object.entries(powers).map(([name, power]) => [`power:${name}`, power]));
}
