/** Options of a contact pipeline and of its calls, and its answers. */
import type { Backend } from '../../gpu/backend.ts';
import type { AdapterSummary } from '../../gpu/device.ts';
import type { ContactBodies } from '../bodies/contact-shape.ts';
import type { GrownList } from '../gpu/header.ts';
import type { ContactArrays } from '../list/contact-arrays.ts';
import type { ContactEvents, PreviousContacts } from '../list/events.ts';

export interface ContactPipelineOptions {
  readonly bodies: ContactBodies;
  /**
   * A length: bounds are grown by it, so that the list of pairs serves until a body has moved by half of it. It changes
   * no contact. Default: a twentieth of the median radius of moving bodies, a tenth where all
   * are balls.
   */
  readonly margin?: number | undefined;
  /** Room on the GPU at first, in pairs of colliders and in contacts; `detect` makes more where it has to. */
  readonly capacity?:
    | { readonly pairs?: number | undefined; readonly contacts?: number | undefined }
    | undefined;
  /** Names for messages. Default `shape 0`, ..., `body 0`, ... */
  readonly names?:
    | { readonly shapes?: readonly string[] | undefined; readonly bodies?: readonly string[] | undefined }
    | undefined;
  /**
   * Most threads that the CPU's work is spread over, 1 or more; 1 is the calling one alone. Default: one per core, at
   * most 8.
   */
  readonly threads?: number | undefined;
  /** Stops building tables. */
  readonly signal?: AbortSignal | undefined;
  /** Called as tables of polyhedra are built, with how many of `total` are done: within a large one a fraction. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface DetectOptions {
  /**
   * `[n * 7]`: position and unit quaternion x, y, z, w of each body. They may be changed as soon as `detect` returns.
   */
  readonly poses: Float32Array | Float64Array;
  /**
   * `[n]`: 1 for bodies that are not there, as those that a simulation has not begun with or has removed. They have no
   * contacts and cost next to nothing, but have a pose as all bodies do. Default: all are there.
   */
  readonly absent?: Uint8Array | undefined;
  /** Contacts of the last step. The answer then has `events`. */
  readonly previous?: PreviousContacts | undefined;
  /**
   * True to forget all earlier steps: the list of pairs, and their axes and faces. This step and those after it
   * then have the bytes that a new pipeline gives, so a simulation that saves its state says so as it goes on, and is
   * the same when it begins from what was saved. Default false.
   */
  readonly restart?: boolean | undefined;
  /** Default `auto`: the GPU where the device is hardware and bodies are many, else the CPU. */
  readonly backend?: Backend | 'auto' | undefined;
  /** True for `seconds.gpu`. Default false. */
  readonly timestamps?: boolean | undefined;
  /** Stops the call between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each slice of work with the number of pairs done, of `total`. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Seconds of wall time of one `detect` call. On the GPU all stages are one: `kernel`. */
export interface ContactSeconds {
  /** Bounds, and pairs where the last list no longer served. */
  readonly broadphase: number;
  readonly nodes: number;
  readonly edges: number;
  readonly patches: number;
  readonly convex: number;
  readonly planes: number;
  /** Contacts in order, and events. */
  readonly list: number;
  /** On the GPU: all kernels, until the queue is done. The stages above are 0 then. */
  readonly kernel: number;
  /** Handing poses to worker threads or to the GPU; there kernels are compiled too, where no earlier call did. */
  readonly upload: number;
  readonly readback: number;
  /** The whole call, checks of its arrays included. */
  readonly total: number;
  /** Kernels by the GPU's own clock: where `timestamps` was asked for, the GPU did the work and it has a clock. */
  readonly gpu?: number | undefined;
}

/** Contacts, and what gave them. */
export interface DetectedContacts extends ContactArrays {
  /** Pairs of colliders whose bounds meet: boxes, and on the CPU balls as well. */
  readonly pairs: number;
  /**
   * Surface nodes that were looked up in another body's tables. Over steps on several threads it may differ between
   * runs, contacts never: where a list has no room left to note for each pair which nodes sleep, pairs that come late
   * are asked as a whole, and threads take pairs in any order.
   */
  readonly nodesTested: number;
  /**
   * Of these, nodes in cells that are inside, or that the surface passes: it may differ so, too. The others were looked
   * up for nothing.
   */
  readonly nodesNear: number;
  /** Contacts whose status is `open`, and `deep`. */
  readonly openContacts: number;
  readonly deepContacts: number;
  /** Undefined without `previous`. */
  readonly events?: ContactEvents | undefined;
  readonly grown: readonly GrownList[];
  readonly backend: Backend;
  /** Why this backend. */
  readonly reason: string;
  /** The adapter of the pipeline's device, or undefined without one. With backend `cpu` it did no work. */
  readonly adapter: AdapterSummary | undefined;
  /** Threads of the host that found contacts; 0 says that the GPU found all. */
  readonly threads: number;
  /** GPU memory that the pipeline holds after the call, bytes. */
  readonly gpuBytes: number;
  readonly seconds: ContactSeconds;
}
