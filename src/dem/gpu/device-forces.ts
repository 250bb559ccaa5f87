/** Forces on the GPU, as the driver of steps sees them. */
import type { ContactPlaces } from '../../contacts/gpu/gpu-contacts.ts';
import type { RowsOnDevice } from '../../contacts/gpu/pair-rows.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import type { StoredArrays } from '../checkpoint/checkpoint.ts';
import type { PairForces } from '../forces/pair-forces.ts';

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

/** Forces of contacts as kernels. What contacts remember is there twice, as bodies: half `control.current` lasts. */
export interface DeviceForces {
  /** `BodyLoads` for each body, after `record`: of contacts alone, without gravity. */
  readonly loads: GPUBuffer;
  /** `ForceSums` */
  readonly sums: GPUBuffer;
  /** Bytes of GPU memory that it holds. */
  readonly bytes: number;
  /** Records forces where bodies are now. `control.timeStep` is what tangential springs are stretched for. */
  record(recorder: Recorder, inputs: ForceInputs): void;
  /** Records the powers at the velocities of the step's end. */
  recordPowers(recorder: Recorder, inputs: ForceInputs): void;
  /** Between bodies that touch, as `record` left them in a half: that of the last whole step. */
  contactForces(half: number): Promise<PairForces>;
  /** Makes room for so many contacts, and rows of pairs. What is remembered stays. */
  grow(contacts: number, rows: number): Promise<void>;
  /** What contacts remember: half `current`. */
  store(current: number): Promise<StoredArrays>;
  restore(stored: StoredArrays, current: number): Promise<void>;
  destroy(): void;
}
