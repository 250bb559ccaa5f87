import { resolve } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const root = normalizePath(resolve(import.meta.dirname, '../..'));

/**
 * Makes what modules export as fast to use as in Node's own modules. Vitest keeps exports in an object that V8 takes
 * for a dictionary: each use of an imported function or constant takes 20 ns instead of 1 ns, and loops over numbers
 * have many. V8 makes an object fast once others inherit from it and somebody goes over their names.
 */
export function fastImports(): Plugin {
  return {
    name: 'fast-imports',
    // Behind the compiler of TypeScript, which would drop what is not used.
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('/node_modules/')) return null;
      return { code: `${code}\n;for (const _ in Object.create(__vite_ssr_exports__)) break;`, map: null };
    },
  };
}
