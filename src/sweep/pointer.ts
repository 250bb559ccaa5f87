/** JSON Pointers (RFC 6901): where a parameter stands in a scene. */
import { called, found, listed, SceneError } from '../io/scene/scene-fields.ts';

/** The names on the way. @throws SceneError */
function tokensOf(pointer: string, place: string): readonly string[] {
  if (!/^(\/([^/~]|~[01])*)+$/.test(pointer)) {
    throw new SceneError(
      `${place} is ${found(pointer)}, expected a JSON Pointer such as /materials/rock/friction`,
    );
  }
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @throws SceneError if there is nothing that a value could be put into: its object or list is missing */
export function requireTarget(scene: unknown, pointer: string, place: string): void {
  const tokens = tokensOf(pointer, place);
  let at = scene;
  for (const [i, token] of tokens.entries()) {
    const isLast = i === tokens.length - 1;
    const isObject = typeof at === 'object' && at !== null;
    const names = isObject ? Object.keys(at as object) : [];
    // An object may get a field that it has not; the reader of scenes knows which fields there are.
    const canTake = isLast && isObject && !Array.isArray(at) && token !== '__proto__';
    if (!names.includes(token) && !canTake) {
      const where = i === 0 ? 'the scene' : `/${tokens.slice(0, i).map(called).join('/')}`;
      const inside = Array.isArray(at) ? `0 to ${names.length - 1}` : listed(names);
      const expected = names.length > 0 ? inside : `an object there, found ${found(at)}`;
      throw new SceneError(
        `${place} is ${found(pointer)}: no ${called(token)} in ${where}, expected ${expected}`,
      );
    }
    at = (at as Record<string, unknown>)[token];
  }
}

/** Puts a value where `requireTarget` found room for it. */
export function setAt(scene: object, pointer: string, value: unknown): void {
  const tokens = tokensOf(pointer, '');
  const last = tokens.at(-1)!;
  let at = scene as Record<string, unknown>;
  for (const token of tokens.slice(0, -1)) at = at[token] as Record<string, unknown>;
  at[last] = value;
}
