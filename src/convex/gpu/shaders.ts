/** The kernels for pairs, assembled when first asked for. */
import pairCode from '../../../shaders/convex/pair.wgsl?raw';
import supportCode from '../../../shaders/convex/support.wgsl?raw';
import type { ShaderSource } from '../../gpu/shader.ts';

/** What kernels may name in `// requires` lines. */
export const pairParts: readonly ShaderSource[] = [
  { name: 'convex/support.wgsl', code: supportCode },
  { name: 'convex/pair.wgsl', code: pairCode },
];
