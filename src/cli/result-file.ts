/** A file with a number for each point, written chunk by chunk. */
import { type AtomicFile, createFileAtomically } from './output.ts';

/** What there can be of points, and how a `.npy` file holds it. */
export const RESULT_DTYPES = { flags: 'u1', winding: 'f4', bounds: 'f4' } as const;
export type ResultKind = keyof typeof RESULT_DTYPES;

/** What results depend on besides body and points. */
export type Settings = Readonly<Record<string, string | number>>;

/** After `commit` the file is there as a whole, before that not at all. */
export interface ResultFile extends Pick<AtomicFile, 'discard'> {
  /** One call at a time. */
  write(values: Uint8Array | Float32Array): Promise<void>;
  /** @param used by what the numbers were computed in fact */
  commit(used: Settings): Promise<void>;
}

/** A `.npy` file of shape [count]. @throws what `createFileAtomically` throws, as the file's methods do */
export async function createNpyFile(path: string, kind: ResultKind, count: number): Promise<ResultFile> {
  const { encodeNpyHeader } = await import('../index.ts');
  const file = await createFileAtomically(path);
  await file.write(encodeNpyHeader(RESULT_DTYPES[kind], [count]));
  return {
    write: (values) => file.write(bytesOf(values)),
    commit: () => file.commit(),
    discard: () => file.discard(),
  };
}

/** The memory of an array. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
