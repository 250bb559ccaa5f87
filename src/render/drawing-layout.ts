/** Bindings of the passes that draw bodies. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import { ContactBody } from '../broadphase/broad-phase-layout.ts';
import { struct } from '../gpu/struct.ts';
import { MOST_SKY } from './constants.ts';

/** A view of the scene. Places are relative to its middle, unless said otherwise. */
export const View = struct('View', {
  /** Places to clip space. */
  camera: d.mat4x4f,
  /** Places to the map of the key light, and to the maps of the sky. */
  keyMatrix: d.mat4x4f,
  skyMatrices: d.arrayOf(d.mat4x4f, MOST_SKY),
  eye: d.vec3f,
  /** Edge of a cell of positions, a length. */
  cellSize: d.f32,
  /** The middle of the scene, as `ContactBody` has positions. */
  focusCell: d.vec3i,
  planeCount: d.u32,
  focusFraction: d.vec3u,
  /** `COLOR_MODES`. */
  colorMode: d.u32,
  /** Unit vectors: towards the key light, and up. */
  keyDirection: d.vec3f,
  skyCount: d.u32,
  up: d.vec3f,
  /** Of the scene. */
  radius: d.f32,
  /** Encoded, as it stands in the picture. */
  background: d.vec3f,
  /** Width of a texel of the maps of lights, a length. */
  keyTexel: d.f32,
  /** Values with the first and the last colour. */
  range: d.vec2f,
  skyTexel: d.f32,
  groundRadius: d.f32,
  gridSpacing: d.f32,
  /** Walls that are cut open end at a plane: its normal, towards the eye, and its way from the middle. */
  cutNormal: d.vec3f,
  cutAt: d.f32,
});

export const sceneLayout = tgpu
  .bindGroupLayout({
    view: { uniform: View },
    bodies: { storage: d.arrayOf(ContactBody) },
    /** Bodies in the order in which they are drawn. */
    instances: { storage: d.arrayOf(d.u32) },
    /** A value per body, for its colour. */
    values: { storage: d.arrayOf(d.f32) },
    /** Bodies that are planes. */
    planes: { storage: d.arrayOf(d.u32) },
  })
  .$idx(0);

export const lightLayout = tgpu
  .bindGroupLayout({
    keyMap: { texture: d.textureDepth2d() },
    skyMaps: { texture: d.textureDepth2dArray() },
    mapSampler: { sampler: 'comparison' },
  })
  .$idx(1);

/** Of passes that keep depths alone. */
export const lensLayout = tgpu
  .bindGroupLayout({ lens: { uniform: struct('Lens', { matrix: d.mat4x4f }) } })
  .$idx(1);
