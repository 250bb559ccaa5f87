/** Response of a step to contacts on the GPU, as the driver of steps asks for it. On the host: `StepResponse`. */
import type { ContactPlaces } from '../../contacts/gpu/gpu-contacts.ts';
import type { RowsOnDevice } from '../../contacts/gpu/pair-rows.ts';
import type { BufferPlace, Recorder } from '../../gpu/recorder.ts';
import type { StoredArrays } from '../checkpoint/checkpoint.ts';
import type { PairForces } from '../forces/pair-forces.ts';

/** Buffers that forces are found from. */
export interface ForceInputs {
  /** `MotionBody`, two halves. That of the step under way, 1 - `control.current`, has places and half-kicked speeds. */
  readonly state: GPUBuffer;
  /** `BodyConstants` */
  readonly constants: GPUBuffer;
  /** `StepControl` */
  readonly control: GPUBuffer;
  /** `ContactBody` for each body. */
  readonly bodies: GPUBuffer;
  /** `ContactRecord`s, of which `spare` is written. */
  readonly contacts: GPUBuffer;
  readonly rows: RowsOnDevice;
  readonly places: ContactPlaces;
}

/** And how bodies move. */
export interface ResponseInputs extends ForceInputs {
  /** `StepGravity` and `DrivenPlace` of each step of the submission. */
  readonly gravities: GPUBuffer;
  readonly driven: GPUBuffer;
  /** `RemovalPlane` */
  readonly planes: GPUBuffer;
  /** `BodyChecks` */
  readonly checks: GPUBuffer;
}

export interface ContactCapacity {
  readonly contacts: number;
  /** Rows of pairs. */
  readonly rows: number;
}

export interface ResponseCapacity extends ContactCapacity {
  /** Rows of pairs that touch at once. */
  readonly touching: number;
}

/** Kernels of a response. What contacts remember is there twice, as bodies: half `control.current` lasts. */
export interface DeviceResponse {
  /**
   * Bodies are moved by what was found of contacts at the step's start. So after a step that was given up contacts of
   * the last whole one have to be found again.
   */
  readonly isByImpulses: boolean;
  /** Words that a contact remembers. */
  readonly historyWords: number;
  /** `BodyLoads` for each body, after `record`: of contacts alone, without gravity. */
  readonly loads: GPUBuffer;
  /** `ForceSums` */
  readonly sums: GPUBuffer;
  /** A word, the rows of the step under way that touch, where there may be no room for all. */
  readonly touching?: BufferPlace;
  /** Bytes of GPU memory that it holds. */
  readonly bytes: number;
  /** Records how bodies move. Undefined: by the loads, half before and half after these are found. */
  move?(recorder: Recorder, inputs: ResponseInputs): void;
  /** Records what contacts do where bodies are now. `control.timeStep` is what tangential springs are stretched for. */
  record(recorder: Recorder, inputs: ResponseInputs): void;
  /** Records what all contacts come to, powers at the velocities of the step's end. */
  recordSums(recorder: Recorder, inputs: ResponseInputs): void;
  /** Between bodies that touch, as the last step that was tried left them. */
  contactForces(): Promise<PairForces>;
  /** Makes room. What is remembered stays. */
  grow(capacity: ResponseCapacity): Promise<void>;
  /** History of contacts: half `current`. */
  store(current: number): Promise<StoredArrays>;
  restore(stored: StoredArrays, current: number): Promise<void>;
  destroy(): void;
}
