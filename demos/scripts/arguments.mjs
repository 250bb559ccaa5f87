// What the scripts beside this one take from their command lines.
import { basename } from 'node:path';

/** Ends the script with exit code 2 and one line: what was found, and what was expected. */
export function refuse(name, found, expected) {
  const script = basename(process.argv[1], '.mjs');
  console.error(`${script}: ${name}: found ${JSON.stringify(found)}, expected ${expected}`);
  process.exit(2);
}

/** A number above 0. @param word undefined: the usual one */
export function positive(name, word, usual) {
  const number = Number(word ?? usual);
  return number > 0 && number < Infinity ? number : refuse(name, word, 'a number above 0');
}

/** A whole number. @param word undefined: the usual one */
export function whole(name, word, usual, least = 1) {
  const number = word === '' ? Number.NaN : Number(word ?? usual);
  const isRight = Number.isSafeInteger(number) && number >= least;
  return isRight ? number : refuse(name, word, `a whole number, ${least} or more`);
}
