// Where bytes come from: a path, a URL, a Blob or memory, compressed with gzip or not.
import { platform } from '#platform';
import { isDetached, told } from '../../arguments.ts';
import { failingAs, InputError } from '../../errors.ts';
// Not from '#platform', which declarations in the package could not resolve.
import type { OpenFile } from '../../platform/platform.ts';
import { readError } from './read-error.ts';

/**
 * What the reading functions take. A string is a path in Node and a URL in a browser; a `File` is a `Blob`.
 */
export type ReadSource = string | URL | Blob | ArrayBuffer | Uint8Array;

/** The bytes of a source, and a name for messages: `name` if given, else that of the path, URL or File. */
export async function readSource(
  source: ReadSource,
  name: string | undefined,
  unnamed: string,
): Promise<{ bytes: Uint8Array; name: string }> {
  if (typeof source === 'string' || source instanceof URL) {
    return { bytes: await platform.readFile(source), name: name ?? shorten(String(source)) };
  }
  if (source instanceof Uint8Array && !isDetached(source.buffer))
    return { bytes: source, name: name ?? unnamed };
  if (source instanceof ArrayBuffer && !isDetached(source))
    return { bytes: new Uint8Array(source), name: name ?? unnamed };
  if (source instanceof Blob) {
    const label = name ?? nameOfFile(source) ?? unnamed;
    return { bytes: await bytesOfBlob(source, label), name: label };
  }
  throw readError({
    name: name ?? unnamed,
    found: told(source),
    expected: 'a path, URL, Blob, ArrayBuffer or Uint8Array',
  });
}

/**
 * The same as `readSource` does, to be read piece by piece. Where the source is memory, the pieces are copies of it.
 */
export async function openSource(
  source: ReadSource,
  name: string | undefined,
  unnamed: string,
): Promise<{ file: OpenFile; name: string }> {
  if (typeof source === 'string' || source instanceof URL) {
    return { file: await platform.openFile(source), name: name ?? shorten(String(source)) };
  }
  if (source instanceof Blob) {
    const label = name ?? nameOfFile(source) ?? unnamed;
    return { file: openBlob(source, label), name: label };
  }
  const { bytes, name: label } = await readSource(source, name, unnamed);
  return { file: openBytes(bytes), name: label };
}

function openBytes(bytes: Uint8Array): OpenFile {
  let at = 0;
  return {
    size: bytes.length,
    seek(position) {
      at = position;
    },
    async read(into) {
      const piece = bytes.subarray(at, at + into.length);
      into.set(piece);
      at += piece.length;
      return piece.length;
    },
    async close() {},
  };
}

function openBlob(blob: Blob, name: string): OpenFile {
  let at = 0;
  return {
    size: blob.size,
    seek(position) {
      at = position;
    },
    async read(into) {
      const piece = await bytesOfBlob(blob.slice(at, at + into.length), name);
      into.set(piece);
      at += piece.length;
      return piece.length;
    },
    async close() {},
  };
}

function bytesOfBlob(blob: Blob, name: string): Promise<Uint8Array> {
  return failingAs(
    async () => new Uint8Array(await blob.arrayBuffer()),
    (error) => new InputError(`${name}: cannot be read (${(error as Error).message})`, { cause: error }),
  );
}

/** The name of a Blob that is a File. */
function nameOfFile(blob: Blob): string | undefined {
  return 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined;
}

/** A `data:` URL holds the file itself, which is too long for a message. */
function shorten(address: string): string {
  return address.startsWith('data:') ? 'data URL' : address;
}

/**
 * Most bytes that a byte of gzip data may inflate to, so that a small file cannot fill the memory. Text of meshes
 * shrinks 3 to 40 times; deflate's own limit is 1032. The ratio is checked while a file inflates, once it has grown to
 * `ALWAYS_INFLATED_BYTES`.
 */
const LARGEST_INFLATION_RATIO = 256;
/** 64 MiB, inflated whatever the ratio: a file may begin with many zeros or blanks. */
const ALWAYS_INFLATED_BYTES = 2 ** 26;
/** 2 GiB, in bytes. */
const LARGEST_INFLATED_SIZE = 2 ** 31;

/**
 * Inflates `bytes` if they are gzip (RFC 1952, magic 1f 8b), else returns them as they are.
 * @throws InputError if the data is damaged or inflates too far: to more than 2 GiB, or to more than 64 MiB that are
 * more than 256 times what was read of it.
 */
export async function inflateGzip(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const { piece, consumed } of platform.inflate(bytes, name)) {
    size += piece.length;
    const limit = Math.max(LARGEST_INFLATION_RATIO * consumed, ALWAYS_INFLATED_BYTES);
    if (size > Math.min(limit, LARGEST_INFLATED_SIZE)) throw inflatesTooFar(consumed, limit, name);
    pieces.push(piece);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function inflatesTooFar(consumed: number, limit: number, name: string): InputError {
  const isBomb = limit < LARGEST_INFLATED_SIZE;
  return readError({
    name,
    found: `gzip data of which ${consumed} bytes inflate to more than ${isBomb ? limit : LARGEST_INFLATED_SIZE}`,
    expected: isBomb
      ? `at most ${LARGEST_INFLATION_RATIO} times as many, or ${ALWAYS_INFLATED_BYTES}`
      : 'at most 2 GiB',
  });
}
