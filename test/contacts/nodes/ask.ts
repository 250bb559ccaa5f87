/** Asks narrow phases of polyhedra about two bodies, without a pipeline. */
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import { CONTACT_VALUES, type ContactRows, ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import type { PolyhedronPairsJob } from '../../../src/contacts/nodes/polyhedron-pairs.ts';
import { bodyOf, posedConvex } from '../posed.ts';
import type { Body } from './brute-force.ts';
import type { Vector } from './nearest.ts';

export interface Contact {
  readonly status: number;
  readonly feature: number;
  readonly triangle: number;
  readonly normal: Vector;
  readonly point: Vector;
  readonly distance: number;
  readonly area: number;
}

/** The contacts of all pairs of bodies, A < B, one collider each. */
export function ask<Counts>(
  phase: (job: PolyhedronPairsJob) => Counts,
  bodies: readonly Body[],
): { contacts: Contact[]; counts: Counts; rows: ContactRows } {
  const polyhedra = [...new Set(bodies.map(({ solid }) => solid))];
  const posed = posedConvex(
    bodies.map(({ solid, pose }) =>
      bodyOf(polyhedra.indexOf(solid), pose.slice(0, 3), pose.slice(3), ColliderKind.polyhedron),
    ),
  );
  const pairs: number[] = [];
  for (let a = 0; a < bodies.length; a++) for (let b = a + 1; b < bodies.length; b++) pairs.push(a, b);
  const sink = new ContactSink();
  const job = {
    polyhedra,
    posed,
    pairs: { pairs: Uint32Array.from(pairs) },
    first: 0,
    end: pairs.length / 2,
    sink,
  };
  const counts = phase(job);
  const rows = sink.rows();
  return { contacts: Array.from(rows.features, (_, i) => contactOf(rows, i)), counts, rows };
}

function contactOf({ statuses, features, triangles, values }: ContactRows, i: number): Contact {
  const v = values.subarray(CONTACT_VALUES * i, CONTACT_VALUES * (i + 1));
  return {
    ...{ status: statuses[i]!, feature: features[i]!, triangle: triangles[i]! },
    normal: [v[0]!, v[1]!, v[2]!],
    point: [v[3]!, v[4]!, v[5]!],
    distance: v[6]!,
    area: v[7]!,
  };
}
