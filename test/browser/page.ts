/** What the browser tests call: the public API on the page, and a few inner parts. */
import { BufferPool, readBack } from '../../src/gpu/buffers.ts';
import { Recorder } from '../../src/gpu/recorder.ts';
import { compileShader } from '../../src/gpu/shader.ts';
import * as scree from '../../src/index.ts';
import { openCloud } from '../support/point-cloud.ts';
import { insideShaders as shaders } from '../support/shaders.ts';

const page = { scree, shaders, compileShader, BufferPool, readBack, Recorder, openCloud };
export type Page = typeof page;
(globalThis as unknown as { page: Page }).page = page;
