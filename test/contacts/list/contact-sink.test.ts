import { describe, expect, it } from 'vitest';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink, type FoundContact, joinRows } from '../../../src/contacts/list/contact-sink.ts';

function contact(i: number): FoundContact {
  return {
    ...{ pair: 3 * i, colliderA: i, colliderB: i + 1, kind: ContactKind.node, status: ContactStatus.deep },
    ...{ feature: 10 * i, triangle: NO_TRIANGLE, nx: 0.1, ny: 0.2, nz: 0.3, px: i, py: 2 * i, pz: 3 * i },
    ...{ distance: -i, area: 0.5 * i },
  };
}

/** A list with contacts `first .. end - 1`, from a capacity that has to grow. */
function sinkOf(first: number, end: number): ContactSink {
  const sink = new ContactSink(0);
  for (let i = first; i < end; i++) sink.push(contact(i));
  return sink;
}

describe('ContactSink', () => {
  it('keeps all fields of all contacts while it grows', () => {
    const rows = sinkOf(0, 200).rows();
    expect(rows.count).toBe(200);
    expect([...rows.colliders.subarray(398)]).toEqual([199, 200]);
    expect(rows.pairs[199]).toBe(597);
    expect([rows.kinds[199], rows.statuses[199]]).toEqual([ContactKind.node, ContactStatus.deep]);
    expect([rows.features[199], rows.triangles[199]]).toEqual([1990, NO_TRIANGLE]);
    expect([...rows.values.subarray(8 * 199)]).toEqual([0.1, 0.2, 0.3, 199, 398, 597, -199, 99.5]);
    expect([...rows.values.subarray(0, 8)]).toEqual([0.1, 0.2, 0.3, 0, 0, 0, -0, 0]);
  });

  it('goes on after a cut where it was cut', () => {
    const sink = sinkOf(0, 100);
    sink.cut(3);
    sink.push(contact(7));
    expect([...sink.rows().features]).toEqual([0, 10, 20, 70]);
  });

  it('is the same in parts that are joined as in one piece', () => {
    const whole = sinkOf(0, 150).rows();
    const joined = joinRows([sinkOf(0, 70).rows(), sinkOf(0, 0).rows(), sinkOf(70, 150).rows()]);
    expect(joined).toEqual(joinRows([whole]));
    expect(joined.values.byteLength).toBe(150 * 64);
  });
});
