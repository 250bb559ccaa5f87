/** Structs of WGSL as TypeGPU schemas. */
import * as d from 'typegpu/data';

/** A struct, under the name that it has in WGSL. */
export function struct<Fields extends Parameters<typeof d.struct>[0]>(name: string, fields: Fields) {
  return d.struct(fields).$name(name);
}
