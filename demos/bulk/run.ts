/** A simulation as the page runs it: how far it goes in a frame, what it shows, and what ended it. */
import { type Device, InputError, Simulation, SimulationError } from '../../src/index.ts';
import { addressOf } from '../page/address.ts';
import { type Choice, type MachineKind, readChoice } from './choice.ts';
import type { BulkScene } from './scenes.ts';

/** A frame makes at most so many times the steps of the last one: what a step takes is known from those alone. */
const FASTER = 8;
/** Where steps take longer than those before, none begins after so many times what they may take. */
const LATE = 1.2;
/** Weight of a new measurement of what a step takes. */
const NEWS = 0.3;
/** Of a frame at most so many seconds count as time of steps: in longer ones shaders are compiled, or nobody looks. */
const LONGEST_FRAME = 0.5;
/** Rates that are shown are those of about so many seconds. */
const RATE_SECONDS = 1;
/** First line of a file with a checkpoint; then the choice as in the address, and the energy balance at first. */
const FILE_MARK = 'scree bulk goods';
/** Longest first line of such a file, in bytes. */
const LONGEST_HEAD = 1000;

/** What a run shows in numbers. */
export interface Counters {
  /** Bodies that forces move, of which so many are there and so many were removed. */
  readonly bodies: number;
  readonly present: number;
  readonly removed: number;
  readonly contacts: number;
  readonly steps: number;
  /** Simulated seconds. */
  readonly time: number;
  readonly stepsPerSecond: number;
  /** Simulated seconds per second. */
  readonly simulatedPerSecond: number;
  /** Joules: energies, and how far their sum is off. */
  readonly kinetic: number;
  readonly lost: number;
  readonly imbalance: number;
  /** `imbalance` over the most energy so far: of motion, in springs and lost together, or of weights. */
  readonly imbalanceShare: number;
  /** Metres. */
  readonly deepestOverlap: number;
}

/** The device that steps of a choice may be made on. */
export function deviceFor({ response }: Choice, device: Device | undefined): Device | undefined {
  return response === 'olvang' ? undefined : device;
}

/** Why a run does not go on. */
export interface Stop {
  /** The line of the error. */
  readonly message: string;
  /** The first body that it is about. */
  readonly body: number | undefined;
}

export interface RunOptions {
  readonly device: Device | undefined;
  readonly choice: Choice;
  /** That of the choice. */
  readonly bulk: BulkScene;
  /** A file that `save` gave for this choice. */
  readonly saved?: SavedRun | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What a file with a checkpoint holds. */
export interface SavedRun {
  readonly choice: Choice;
  /** Energies at first: what balances are held against. */
  readonly balanceAtFirst: number;
  readonly checkpoint: Uint8Array;
  readonly name: string;
}

export class Run {
  readonly choice: Choice;
  readonly bulk: BulkScene;
  readonly simulation: Simulation;
  /** Set when the monitors have stopped it. */
  stop: Stop | undefined;
  readonly #moving: number;
  readonly #balanceAtFirst: number;
  /** Most energy so far: what an imbalance is held against. */
  #mostEnergy = 0;
  /** What a step took lately, and how many the last frame made. */
  #secondsPerStep = 0;
  #lastSteps = 0;
  /** Simulated time that was not yet enough for a step. */
  #due = 0;
  /** Wall seconds of all frames that made steps. */
  measuredSeconds = 0;
  /** Of the last second or so: steps and seconds, older ones weigh less. */
  #recent = { steps: 0, seconds: 0 };

  private constructor({ choice, bulk, saved }: RunOptions, simulation: Simulation) {
    this.choice = choice;
    this.bulk = bulk;
    this.simulation = simulation;
    this.#moving = choice.count;
    this.#balanceAtFirst = saved?.balanceAtFirst ?? simulation.monitors.balance;
  }

  /**
   * Makes the scene of a choice ready to move.
   *
   * @throws InputError for what cannot be used, and DeviceError with reason `limits` for a device that is too small
   */
  static async create(options: RunOptions): Promise<Run> {
    const { choice, bulk, saved, onProgress } = options;
    const device = deviceFor(choice, options.device);
    const { backend, response } = choice;
    const own = { timeStep: bulk.timeStep, backend, response, onProgress };
    const simulation = saved
      ? await Simulation.resume(device, bulk.scene, saved.checkpoint, {
          ...{ backend, response, onProgress, name: saved.name },
        })
      : await Simulation.create(device, bulk.scene, own);
    return new Run(options, simulation);
  }

  /**
   * Goes on for about so many seconds of wall time, and by no more simulated time than the speed that was chosen
   * allows.
   *
   * @param budget wall time, seconds
   * @param passed wall time since the last frame, seconds
   * @param speed simulated seconds per second
   * @returns steps that were made
   */
  async advance(budget: number, passed: number, speed: number): Promise<number> {
    if (this.stop !== undefined) return 0;
    const { timeStep } = this.simulation;
    this.#due += passed * speed;
    const wanted = Math.floor(this.#due / timeStep);
    const known = this.#secondsPerStep > 0 ? Math.floor(budget / this.#secondsPerStep) : 1;
    const steps = Math.min(wanted, Math.max(1, Math.min(known, FASTER * this.#lastSteps)));
    // What there is no time for is left out: simulated time lags behind, and nothing is made up later.
    this.#due = steps < wanted ? 0 : this.#due - steps * timeStep;
    const { made, seconds } = await this.makeSteps(steps, LATE * budget);
    if (made > 0) {
      this.#lastSteps = made;
      const one = seconds / made;
      this.#secondsPerStep += (this.#secondsPerStep === 0 ? 1 : NEWS) * (one - this.#secondsPerStep);
    }
    this.#note(made, Math.min(passed, LONGEST_FRAME));
    return made;
  }

  /**
   * Makes so many steps, or those until the monitors stop it.
   *
   * @param most wall seconds after which no further step begins
   * @returns steps that were made, and the wall time of them in seconds
   */
  async makeSteps(
    steps: number,
    most = Infinity,
  ): Promise<{ readonly made: number; readonly seconds: number }> {
    if (steps === 0 || this.stop !== undefined) return { made: 0, seconds: 0 };
    const began = performance.now();
    const before = this.simulation.monitors.steps;
    const late = new AbortController();
    const onProgress = () => {
      if (performance.now() - began > 1000 * most) late.abort();
    };
    try {
      await this.simulation.step(steps, { signal: late.signal, onProgress });
    } catch (error) {
      if (error instanceof SimulationError) {
        this.stop = { message: error.message, body: error.bodies[0] };
      } else if (error !== late.signal.reason) throw error;
    }
    return { made: this.simulation.monitors.steps - before, seconds: (performance.now() - began) / 1000 };
  }

  get bodyNames(): readonly string[] {
    return this.bulk.scene.names!.bodies!;
  }

  get counters(): Counters {
    const { monitors, timeStep } = this.simulation;
    const { kinetic, gravity, elastic, dashpots, friction, rolling } = monitors;
    const lost = dashpots + friction + rolling;
    this.#mostEnergy = Math.max(this.#mostEnergy, kinetic + elastic + lost, Math.abs(gravity));
    const imbalance = monitors.balance - this.#balanceAtFirst;
    const { steps, seconds } = this.#recent;
    const stepsPerSecond = seconds > 0 ? steps / seconds : 0;
    const others = this.bodyNames.length - this.#moving;
    return {
      ...{ bodies: this.#moving, present: monitors.presentBodies - others, removed: monitors.removedBodies },
      ...{ contacts: monitors.contacts, steps: monitors.steps, time: monitors.time },
      ...{ stepsPerSecond, simulatedPerSecond: stepsPerSecond * timeStep },
      ...{ kinetic, lost, imbalance, deepestOverlap: monitors.deepestOverlap },
      imbalanceShare: this.#mostEnergy > 0 ? imbalance / this.#mostEnergy : 0,
    };
  }

  /** The state with the choice that it belongs to, for `readSaved`. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    const checkpoint = await this.simulation.checkpoint();
    // Steps go on only where they were made.
    const choice = { ...this.choice, backend: this.simulation.backend };
    const head = new TextEncoder().encode(
      `${FILE_MARK} ${addressOf(choice)} ${this.#balanceAtFirst.toString()}\n`,
    );
    const file = new Uint8Array(head.length + checkpoint.length);
    file.set(head);
    file.set(checkpoint, head.length);
    return file;
  }

  /** A number that is the same where all bodies are at the same places and have the same speeds, bit for bit. */
  async stateHash(): Promise<string> {
    const arrays = [await this.simulation.read('poses'), await this.simulation.read('velocities')];
    let hash = 0xcbf29ce484222325n;
    for (const array of arrays)
      for (const word of new Uint32Array(array.buffer))
        hash = BigInt.asUintN(64, (hash ^ BigInt(word)) * 0x100000001b3n);
    return hash.toString(16);
  }

  destroy(): void {
    this.simulation.destroy();
  }

  #note(steps: number, seconds: number): void {
    if (steps > 0) this.measuredSeconds += seconds;
    const kept = Math.exp(-seconds / RATE_SECONDS);
    this.#recent = {
      steps: kept * this.#recent.steps + steps,
      seconds: kept * this.#recent.seconds + seconds,
    };
  }
}

/**
 * What a file that `save` gave holds.
 *
 * @param name for messages
 * @throws InputError for another file
 */
export function readSaved(file: Uint8Array, name: string, machine: MachineKind): SavedRun {
  const end = file.subarray(0, LONGEST_HEAD).indexOf(10);
  const head = new TextDecoder().decode(file.subarray(0, Math.max(0, end)));
  const [mark, address, balance] = [
    head.slice(0, FILE_MARK.length),
    ...head.slice(FILE_MARK.length + 1).split(' '),
  ];
  const balanceAtFirst = balance ? Number(balance) : Number.NaN;
  if (mark !== FILE_MARK || address === undefined || !Number.isFinite(balanceAtFirst)) {
    throw new InputError(`${name}: no saved run found, expected a file that this page saved`);
  }
  const { choice, remarks } = readChoice(address, machine);
  if (remarks.length > 0) throw new InputError(`${name}: ${remarks[0]}`);
  return { choice, balanceAtFirst, checkpoint: file.slice(end + 1), name };
}
