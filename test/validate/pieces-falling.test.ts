import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseScene } from '../../src/io/scene/scene.ts';
import { multibodyScene } from '../../src/io/scene/simulation-scene.ts';
import { collisionModel } from '../../src/multibody/contacts/collision-model.ts';
import { NearPairs } from '../../src/multibody/contacts/near-pairs.ts';
import { mechanismOf } from '../../src/multibody/equations/mechanism.ts';
import { piecesFalling } from '../../src/validate/pieces-falling.ts';

it('figure 9 of Neumayr and Otter 2017: 79 shapes and 651 pairs, as a count of all has it', async () => {
  const text = await readFile(new URL('../../demos/scenes/pieces-falling.json', import.meta.url), 'utf8');
  const { $schema, ...file } = JSON.parse(text);
  expect($schema).toBe('../../schema/scene.schema.json');
  expect(file).toEqual(piecesFalling());
  const scene = multibodyScene(await parseScene(text));
  const names = Array.from(scene.bodies.shapes, (_, i) => `body ${i}`);
  const model = collisionModel(scene, mechanismOf(scene, names, []), names)!;
  const { count, bodies } = model.colliders;
  expect(count).toBe(79);
  // Parts of one body are fixed to each other.
  const pairs: number[] = [];
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) if (bodies[a] !== bodies[b]) pairs.push(a, b);
  expect(pairs.length / 2).toBe(651);
  const near = new NearPairs(model);
  // So far that all may meet.
  near.update(Float64Array.from(scene.bodies.poses), 2);
  expect(Array.from(near.pairs)).toEqual(pairs);
});
