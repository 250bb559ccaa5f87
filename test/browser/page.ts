/** What the browser tests call: the public API on the page, and a few inner parts. */
import { compileShader } from '../../src/gpu/shader.ts';
import * as scree from '../../src/index.ts';
import { insideShaders as shaders } from '../support/shaders.ts';

const page = { scree, shaders, compileShader };
export type Page = typeof page;
(globalThis as unknown as { page: Page }).page = page;
