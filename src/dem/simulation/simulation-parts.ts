/** Parts of a simulation: its scene checked, its tables, its step and its backend. */
import { copyOf, type Options, requireKnown, told } from '../../arguments.ts';
import { namesOf } from '../../contacts/bodies/check-shapes.ts';
import type { ContactBodies } from '../../contacts/bodies/contact-shape.ts';
import { type ContactEngine, makeContactEngine } from '../../contacts/pipeline/contact-engine.ts';
import { InputError } from '../../errors.ts';
import { type Backend, chooseBackend, requireBackend } from '../../gpu/backend.ts';
import type { Device } from '../../gpu/device.ts';
import type { WebGpuBuffer } from '../../platform/webgpu.ts';
import { rests } from '../../workers/slices.ts';
import { LEAST_BODIES_FOR_GPU, SIMULATED_BODY_BYTES } from '../constants.ts';
import { CpuBackend } from '../cpu/cpu-backend.ts';
import { CpuSteps } from '../cpu/cpu-steps.ts';
import { tryLaws } from '../forces/law-cases.ts';
import { surfaceLengths } from '../forces/surface-lengths.ts';
import type { StepClock } from '../motion/step-clock.ts';
import { requireScene } from '../scene/check-scene.ts';
import { shiftsOfCopies } from '../scene/copies.ts';
import { requireMemory } from '../scene/memory.ts';
import { modelOf, placeAtFirst, type SimulationModel, staticBodies } from '../scene/model.ts';
import { repeatedSpace, withCopies } from '../scene/repeated-space.ts';
import {
  isByGaps,
  type NarrowPhaseChoice,
  type ResolvedResponse,
  type ResponseName,
  type ResponseOptions,
  requireFrictionless,
  requireNoForces,
  requireResponse,
  requireUsable,
  withFewNodes,
} from '../scene/response.ts';
import type { SimulationScene } from '../scene/simulation-scene.ts';
import {
  expectedFrequency,
  patchesOf,
  recommendedImpulseStep,
  recommendedStep,
  requireImpulseStep,
  requireStableStep,
} from '../scene/time-step.ts';
import type { SimulationBackend } from '../steps/simulation-backend.ts';
import type { StepLoads, StepMover } from '../steps/step-response.ts';
import { digestsOf } from './digest.ts';

export interface SimulationOptions extends ResponseOptions {
  /**
   * Length of a step, in the scene's unit of time. Default: a fortieth of the shortest contact that is expected; with
   * impulses a 24th of the time in which the smallest body falls by its diameter. It is halved where a stiffer contact
   * comes up, or a body moves too far by impulses.
   */
  readonly timeStep?: number | undefined;
  /** Response of steps to contacts: docs/dem.md, "Forces or impulses". Default `forces`. */
  readonly response?: ResponseName | undefined;
  /** With impulses: parts of a step, 1 to 64. More of them let higher towers stand. Default 4. */
  readonly substeps?: number | undefined;
  /** With olvang: most passes over all collisions of a step, 1 to 1000. Default 60. */
  readonly iterations?: number | undefined;
  /** With olvang: whether a last pass goes up from the ground, and takes what is below as fixed. Default false. */
  readonly shocks?: boolean | undefined;
  /** With olvang: whether state and impulses are rounded to float32, as single precision has them. Default false. */
  readonly float32?: boolean | undefined;
  /** With olvang: how contacts of convex bodies are found. Default: as with all responses. */
  readonly narrowPhase?: NarrowPhaseChoice | undefined;
  /** Most threads that contacts are found by. Default: one per core, at most 8. */
  readonly threads?: number | undefined;
  /** Maker of the steps. Default `auto`: the GPU where the device is hardware and bodies are many, else the CPU. */
  readonly backend?: Backend | 'auto' | undefined;
  /** Room on the GPU at first, in pairs of colliders and in contacts. Lists that run over grow, and no step is lost. */
  readonly capacity?:
    | { readonly pairs?: number | undefined; readonly contacts?: number | undefined }
    | undefined;
  /** Stops building tables. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export const CREATE_OPTIONS: Options<SimulationOptions> = {
  timeStep: 'number',
  response: 'checked',
  substeps: 'number',
  iterations: 'number',
  shocks: 'boolean',
  float32: 'boolean',
  narrowPhase: 'object',
  threads: 'number',
  backend: 'checked',
  capacity: 'object',
  signal: 'signal',
  onProgress: 'function',
};
/** For renderers: where bodies are, on the GPU. */
export interface SimulationBuffers {
  /** 48 bytes per body, as `ContactsOnDeviceInputs.bodies` says. Usage STORAGE and COPY_SRC. */
  readonly bodies: WebGpuBuffer;
  /** Edge of the cells that positions are given in, a length. */
  readonly cell: number;
}

/** Parts of a simulation. */
export interface SimulationParts {
  readonly model: SimulationModel;
  readonly backend: SimulationBackend;
  readonly device: Device | undefined;
  readonly buffers: SimulationBuffers | undefined;
  readonly choice: { readonly backend: Backend; readonly because: string };
  readonly clock: StepClock;
  /** Nobody asked for this step: it may be halved. */
  readonly isDefaultStep: boolean;
  readonly recommended: number;
  readonly response: ResolvedResponse;
  readonly digests: Readonly<Record<string, number>>;
}

/**
 * Checks a scene and makes all that its steps need.
 *
 * @param options their types are checked
 * @param requireSame refuses a scene that is not the one of a checkpoint, before its step is looked at
 * @throws what `Simulation.create` says
 */
export async function makeParts(
  device: Device | undefined,
  scene: SimulationScene,
  options: SimulationOptions,
  requireSame?: (digests: SimulationParts['digests']) => void,
): Promise<SimulationParts> {
  const { threads, signal, onProgress, capacity, timeStep } = options;
  // Of millions of bodies each part takes a second. The clock starts here, so that the first rest is a pause.
  const rest = rests(signal);
  const own = requireResponse(options);
  const choice = choiceOf(device, scene, options, own.response);
  const { margin } = scene;
  const { placed, shapes, names, ...prepared } = await prepare(device, scene, own.response, rest);
  const { model: named, space } = prepared.value ?? {};
  const engine = await makeContactEngine(device, prepared.value?.shapes ?? shapes, {
    manifolds: own.response !== 'forces',
    bodies: space ? withCopies(placed, space) : placed,
    ...{ margin, threads, capacity, signal, onProgress },
    names: {
      shapes: names?.shapes,
      bodies: space
        ? named!.names.flatMap((name) => Array<string>(space.copies).fill(name))
        : (named?.names ?? names?.bodies),
    },
  });
  if (prepared.value === undefined) throw prepared.error;
  const { model } = prepared.value;
  tryLaws(model.laws);
  await rest();
  // Before anything moves.
  const digests = await digestsOf(model, engine, rest);
  requireSame?.(digests);
  const { clock, recommended } = stepOf(model, engine, own.response, timeStep, space?.copies ?? 1);
  await rest();
  const isDefaultStep = timeStep === undefined;
  const common = { model, device, choice, clock, isDefaultStep, recommended, response: own, digests };
  const made = { model, engine, clock, space, reason: choice.because };
  if (choice.backend === 'cpu')
    return {
      ...common,
      backend: await cpuBackendOf(made, own, prepared.value.scene, rest),
      buffers: undefined,
    };
  // Kernels are loaded when they are used: applications that stay on the CPU never carry them.
  const { GpuBackend } = await import('../gpu/gpu-backend.ts');
  const backend = await GpuBackend.create(device!, {
    ...made,
    substeps: own.response === 'impulses' ? own.substeps : undefined,
  });
  const { bodies, cell } = backend;
  return { ...common, backend, buffers: { bodies, cell } };
}

/** Chooses the backend. @throws InputError for a scene that is none, or more bodies than there is memory for */
function choiceOf(
  device: Device | undefined,
  scene: SimulationScene,
  { backend: wanted = 'auto' }: SimulationOptions,
  response: ResponseName,
): SimulationParts['choice'] {
  const isOnGpu = response === 'forces' || response === 'impulses';
  requireBackend(wanted, device, 'simulation');
  if (!isOnGpu && wanted === 'gpu')
    throw new InputError(`backend is gpu, expected cpu for the response ${response}`);
  requireScene(scene);
  const count = scene.bodies.shapes.length;
  requireMemory(count, SIMULATED_BODY_BYTES);
  // Impulses have not been measured on hardware.
  if (response !== 'forces' && wanted === 'auto')
    return { backend: 'cpu', because: `${response} are found on the CPU` };
  return chooseBackend(wanted, {
    ...{ device, owner: 'simulation', items: 'bodies' },
    ...{ count, leastForGpu: LEAST_BODIES_FOR_GPU },
  });
}

/**
 * The model of a scene. All that callers may change later is copied before the first pause. The engine reports faulty
 * shapes, and its error comes first: so errors of the model are returned, with what the engine needs (`placed`,
 * `shapes`, `names`).
 */
async function prepare(
  device: Device | undefined,
  scene: SimulationScene,
  response: ResponseName,
  rest: () => Promise<void>,
) {
  const { shapes } = scene;
  const names = copyOf(scene.names);
  requireKnown('names', 'field', names ?? {}, ['shapes', 'bodies', 'materials']);
  if (!Array.isArray(shapes))
    throw new InputError(`shapes: found ${told(shapes)}, expected an array of descriptions`);
  const nameShapes = () => namesOf('shape', names?.shapes, shapes.length);
  requireUsable(response, shapes, nameShapes(), device);
  const isByForces = response === 'forces';
  let placed: ContactBodies | undefined;
  let copied = shapes;
  const prepared = attempted(async () => {
    copied = copyOf(shapes);
    const named = nameShapes();
    const bodies = namesOf('body', names?.bodies, scene.bodies.shapes.length);
    const model = modelOf(scene, { shapes: named, bodies });
    placed = model.contactBodies;
    if (!isByForces) requireNoForces(model, response);
    if (isByGaps(response)) requireFrictionless(response, model, names?.materials ?? []);
    const own = { ...scene, shapes: copied, names, box: model.box };
    const turns = scene.bodies.angularVelocities;
    const [poses, spins] = [new Float64Array(scene.bodies.poses), turns && new Float64Array(turns)];
    await rest();
    await placeAtFirst(model, poses, spins, rest);
    const noded = isByForces ? own.shapes : withFewNodes(own.shapes, named);
    return { model, scene: own, shapes: noded, space: repeatedSpace(own, named, model) };
  });
  // The work above has begun, and stands at its first pause or has failed.
  const { shapes: shapesOf, groups, masks } = scene.bodies;
  placed ??= copyOf({ shapes: shapesOf, isStatic: staticBodies(scene), groups, masks });
  return { ...(await prepared), placed, shapes: copied, names };
}

/** @throws InputError for a step that is too long, and where none is given and none is recommended */
function stepOf(
  model: SimulationModel,
  { table }: ContactEngine,
  response: ResponseName,
  timeStep: number | undefined,
  copies: number,
): { readonly clock: StepClock; readonly recommended: number } {
  const isByForces = response === 'forces';
  const frequency = expectedFrequency(model, patchesOf(table, model.count, copies));
  const recommended = isByForces ? recommendedStep(frequency) : recommendedImpulseStep(model);
  const step = timeStep ?? recommended;
  if (!(step > 0 && step < Infinity)) {
    const what = isByForces ? 'forces move no body' : 'no body falls';
    const why = timeStep === undefined ? `: none is recommended, as ${what}` : '';
    throw new InputError(`timeStep is ${timeStep ?? 'missing'}, expected a time above 0${why}`);
  }
  if (isByForces) requireStableStep(step, frequency, 'the shortest contact that is expected lasts');
  else if (!isByGaps(response)) requireImpulseStep(step, recommended);
  return { clock: { timeStep: step, extra: 0 }, recommended };
}

type MadeSteps = Omit<ConstructorParameters<typeof CpuSteps>[0], 'response' | 'narrow'>;

async function cpuBackendOf(
  made: MadeSteps,
  own: ResolvedResponse,
  scene: SimulationScene,
  rest: () => Promise<void>,
): Promise<CpuBackend> {
  const { model, engine, clock } = made;
  const response = await responseBy(made, own, scene, rest);
  await rest();
  const narrow = own.narrowPhase && (await narrowPhaseOf(made, own.narrowPhase));
  await rest();
  const steps = new CpuSteps({ ...made, response, narrow });
  await rest();
  return new CpuBackend(model, steps, clock, engine.cell);
}

async function responseBy(
  { model, engine, space }: MadeSteps,
  own: ResolvedResponse,
  { shapes, names }: SimulationScene,
  rest: () => Promise<void>,
): Promise<StepLoads | StepMover> {
  const { laws, inertia } = model;
  const { colliders } = engine.table;
  // Each is loaded where it is used: pages do without the others.
  if (isByGaps(own.response)) {
    const { ContactComplementarity } = await import('../complementarity/contact-complementarity.ts');
    const named = namesOf('shape', names?.shapes, shapes.length);
    return new ContactComplementarity({
      model,
      shapes,
      names: named,
      isBilateral: own.response === 'bilateral',
    });
  }
  if (own.response !== 'forces') {
    const { ContactImpulses } = await import('../impulses/contact-impulses.ts');
    return new ContactImpulses({ laws, inertia, by: own.response === 'impulses' ? own.substeps : own });
  }
  const { ContactForces } = await import('../forces/contact-forces.ts');
  const lengths = surfaceLengths(colliders, engine.polyhedra);
  await rest();
  return new ContactForces({
    ...{ bodies: { ...laws, lengths }, inertia, pool: () => engine.stages.pool },
    colliders: {
      ...{ bodies: colliders.bodies, parts: colliders.parts },
      repeated: space && { copies: space.copies, shifts: shiftsOfCopies(space) },
    },
  });
}

async function narrowPhaseOf({ engine, space }: MadeSteps, choice: NarrowPhaseChoice) {
  const { NarrowPhase } = await import('../impulses/narrow-phase.ts');
  return new NarrowPhase(engine.table, space?.copies ?? 1, choice);
}

/** Awaits work. An error is returned, not thrown. */
async function attempted<T>(
  work: () => Promise<T>,
): Promise<{ readonly value?: T; readonly error?: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
