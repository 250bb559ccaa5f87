/** Whether WebGL runs on the CPU. */
import { ScreeError } from '../../src/index.ts';

/**
 * As far as the browser tells.
 *
 * @throws ScreeError where there is no WebGL.
 */
export function isSoftwareWebGl(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw new ScreeError('this browser can draw neither with WebGPU nor with WebGL 2', 1);
  let name = String(gl.getParameter(gl.RENDERER));
  // Some say it at once, and warn of being asked the other way.
  if (name === 'WebKit WebGL') {
    const names = gl.getExtension('WEBGL_debug_renderer_info');
    if (names) name = String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
  }
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
