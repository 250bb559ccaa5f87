/**
 * Every error that scree raises on purpose. The message is one line that names the place, what was found and what
 * was expected. The command line prints it as it is and exits with `exitCode`.
 */
export class ScreeError extends Error {
  // A literal, since minifiers rename classes.
  override readonly name: string = 'ScreeError';
  /** Process exit code: 2 for bad usage or input, 1 for a failure of the machine or the program. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, options?: ErrorOptions) {
    super(shorten(message, LONGEST_MESSAGE), options);
    this.exitCode = exitCode;
  }
}

/** In characters. Messages repeat names of the input, which can be as long as the input. */
const LONGEST_MESSAGE = 2000;

/** A text of more than `longest` characters without its middle: its beginning says what it is, its end how it ends. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor(longest / 4);
  return `${text.slice(0, longest - end)}...${text.slice(text.length - end)}`;
}

/** The first line of an error's message, for messages of one line. wgpu's begin with an empty one. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trimStart().split('\n', 1)[0]!;
}

/** The result of `work`. If it fails, the error is what `asError` makes of the failure. */
export async function failingAs<T>(work: () => Promise<T>, asError: (failure: unknown) => Error): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw asError(failure);
  }
}

/** A file, mesh, point set or option that cannot be used as given. */
export class InputError extends ScreeError {
  override readonly name = 'InputError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, 2, options);
  }
}

/** Why a simulation cannot go on. */
export type SimulationErrorReason =
  | 'not-finite'
  | 'step-too-long'
  | 'out-of-bounds'
  | 'too-deep'
  | 'blocked'
  | 'energy-balance'
  | 'unsolved';

/** Where a simulation cannot go on. */
export interface SimulationErrorPlace {
  /** Number of the step that could not be made. */
  readonly step: number;
  /** The bodies that it is about, by number: one or two, or none where it is not known which. */
  readonly bodies: readonly number[];
}

/** A simulation cannot go on: what is simulated is at fault, not the machine. The message begins with the step. */
export class SimulationError extends ScreeError {
  override readonly name = 'SimulationError';
  readonly reason: SimulationErrorReason;
  readonly step: number;
  readonly bodies: readonly number[];

  constructor(reason: SimulationErrorReason, { step, bodies }: SimulationErrorPlace, message: string) {
    super(`step ${step}: ${message}`, 1);
    this.reason = reason;
    this.step = step;
    this.bodies = bodies;
  }
}

/** What went wrong with the WebGPU device. */
export type DeviceErrorReason =
  | 'no-webgpu'
  | 'no-adapter'
  | 'limits'
  | 'lost'
  | 'destroyed'
  | 'out-of-memory'
  | 'failed';

export interface DeviceErrorOptions extends ErrorOptions {
  /** What a caller can do instead, as the end of the message. */
  readonly advice?: string;
}

/** The WebGPU device is missing, too small, lost or out of memory. */
export class DeviceError extends ScreeError {
  override readonly name = 'DeviceError';
  readonly reason: DeviceErrorReason;
  /** The message without the advice at its end: that depends on who calls, a script or the command line. */
  readonly problem: string;

  constructor(reason: DeviceErrorReason, problem: string, options: DeviceErrorOptions = {}) {
    const { advice, ...rest } = options;
    super(advice === undefined ? problem : `${problem}, ${advice}`, 1, rest);
    this.reason = reason;
    this.problem = problem;
  }
}
