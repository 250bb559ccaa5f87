/**
 * How the tables for contacts begin that a body file carries. What follows is known to contacts alone
 * (contacts/field/saved-tables.ts).
 */
import { told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { meshChecksum, STRIPE } from '../../mesh/checksum.ts';

/** Goes up with every change of the tables, and of what they mean. */
export const CONTACT_TABLES_VERSION = 1;

/** Words that they begin with: version, checksum of the mesh, numbers that follow, and 0. */
export const ContactWord = { version: 0, mesh: 1, numbers: 2 } as const;
export const CONTACT_HEADER_BYTES = STRIPE;

/** @throws InputError unless these are tables of this version, of the mesh */
export function requireContactTables(
  place: string,
  found: unknown,
  mesh: { readonly positions: Float32Array; readonly indices: Uint32Array },
): asserts found is Uint8Array {
  const isTables =
    found instanceof Uint8Array && found.length > CONTACT_HEADER_BYTES && found.length % STRIPE === 0;
  if (!isTables) throw new InputError(`${place}: found ${told(found)}, expected what contactTables made`);
  const header = new DataView(found.buffer, found.byteOffset);
  const version = header.getUint32(4 * ContactWord.version, true);
  if (version !== CONTACT_TABLES_VERSION) {
    throw new InputError(
      `${place}: version ${version} found, expected ${CONTACT_TABLES_VERSION}: make them again with this scree`,
    );
  }
  if (header.getUint32(4 * ContactWord.mesh, true) !== meshChecksum(mesh)) {
    throw new InputError(`${place}: tables of another mesh found, expected those of this one`);
  }
}
