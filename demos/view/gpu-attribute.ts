/**
 * Lets three draw from a GPU buffer that another owns. This is the one file that reaches into three's backend, so three
 * is pinned exactly in package.json.
 */
import { StorageBufferAttribute, type WebGPURenderer } from 'three/webgpu';

/** What three's backend keeps of an attribute. Its types do not have it. */
interface Backend {
  readonly isWebGPUBackend?: boolean;
  get(attribute: StorageBufferAttribute): { buffer?: Pick<GPUBuffer, 'destroy'> | undefined };
}

export interface BorrowedAttribute {
  /** Four words an entry. */
  readonly attribute: StorageBufferAttribute;
  /** Takes the buffer away from three, and frees what three holds besides. The buffer stays. */
  release(): void;
}

/**
 * An attribute for `storage()` that stands for a buffer which is on the GPU already. Three makes none, and copies
 * nothing.
 *
 * @param renderer draws with WebGPU, on the device of the buffer, and has drawn nothing of the attribute yet
 * @param buffer of usage STORAGE
 */
export function attributeOnBuffer(renderer: WebGPURenderer, buffer: GPUBuffer): BorrowedAttribute {
  const backend = renderer.backend as unknown as Backend;
  if (backend.isWebGPUBackend !== true) throw new TypeError('three does not draw with WebGPU here');
  // Of its length three takes nothing but the number of entries.
  const attribute = new StorageBufferAttribute(new Uint32Array(buffer.size / 4), 4);
  backend.get(attribute).buffer = buffer;
  return {
    attribute,
    release() {
      // Three destroys what it finds there.
      backend.get(attribute).buffer = { destroy() {} };
      // Attributes are disposed with an event, which the types of this one do not have.
      (attribute as unknown as { dispose(): void }).dispose();
    },
  };
}
