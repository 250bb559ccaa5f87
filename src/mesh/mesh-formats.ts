/** Names of formats that meshes are written in: the command line takes them without what writes them. */
export const MESH_FORMATS = ['stl', 'obj', 'ply'] as const;
export type MeshFormat = (typeof MESH_FORMATS)[number];
