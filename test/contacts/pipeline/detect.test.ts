import { describe, expect, it } from 'vitest';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import { CONVEX_SHAPES, packing, type Scene } from './scenes.ts';

const createOf = ({ shapes, bodies }: Scene, rest = {}) =>
  ContactPipeline.create(undefined, shapes, { bodies, ...rest });

describe('contacts', () => {
  it('are', async () => {
    const scene = packing(CONVEX_SHAPES, { count: 500, seed: 1, size: 5 });
    const pipeline = await createOf(scene);
    const found = await pipeline.detect({ poses: scene.poses });
    expect(found.count).toBeGreaterThan(1000);
  });
});
