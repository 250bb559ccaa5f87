import { describe, expect, it } from 'vitest';
import {
  type ContactArrays,
  ContactKind,
  ContactStatus,
  FEATURE_OF_B,
  NO_TRIANGLE,
} from '../../src/contacts/list/contact-arrays.ts';
import { InputError } from '../../src/errors.ts';
import type { ContactFormat } from '../../src/io/contact-formats.ts';
import { CONTACT_COLUMNS, encodeContacts } from '../../src/io/contacts.ts';
import { parseNpy } from '../../src/io/npy.ts';
import { decodeVtp } from '../support/vtp.ts';

/** A node of body 7 in body 2's triangle 5, and a ball on a plane. */
const contacts: ContactArrays = {
  count: 2,
  bodies: Uint32Array.of(2, 7, 2, 9),
  parts: Uint32Array.of(0, 0, 1, 0),
  kinds: Uint8Array.of(ContactKind.node, ContactKind.plane),
  statuses: Uint8Array.of(ContactStatus.deep, ContactStatus.sure),
  features: Uint32Array.of(FEATURE_OF_B + 12, 3),
  triangles: Uint32Array.of(5, NO_TRIANGLE),
  normals: Float64Array.of(0, 0, 1, -1, 0, 0),
  points: Float64Array.of(1e5, 0.1, 1 / 3, -2, 0, 4),
  distances: Float64Array.of(-0.125, -1e-9),
  areas: Float64Array.of(0.5, 0),
};
const names = ['', '', 'rock "A", left', '', '', '', '', 'rock B', '', 'ground'];
const text = (format: ContactFormat) => new TextDecoder().decode(encodeContacts(contacts, format, { names }));
const none: ContactArrays = {
  count: 0,
  ...{
    bodies: new Uint32Array(),
    parts: new Uint32Array(),
    kinds: new Uint8Array(),
    statuses: new Uint8Array(),
  },
  ...{ features: new Uint32Array(), triangles: new Uint32Array(), normals: new Float64Array() },
  ...{ points: new Float64Array(), distances: new Float64Array(), areas: new Float64Array() },
};

describe('encodeContacts', () => {
  it('csv: bodies by name, kinds and statuses in words', () => {
    expect(text('csv').split('\n')).toEqual([
      'a,b,part_a,part_b,kind,status,feature_of,feature,triangle,' +
        'normal_x,normal_y,normal_z,point_x,point_y,point_z,distance,area',
      '"rock ""A"", left",rock B,0,0,node,deep,b,12,5,0,0,1,100000,0.1,0.3333333333333333,-0.125,0.5',
      '"rock ""A"", left",ground,1,0,plane,sure,a,3,-1,-1,0,0,-2,0,4,-1e-9,0',
      '',
    ]);
    expect(new TextDecoder().decode(encodeContacts(contacts, 'csv'))).toContain('\n2,7,0,0,node,');
  });

  it('npy: the same columns in numbers, float64', () => {
    const table = parseNpy(encodeContacts(contacts, 'npy'), 'x.npy');
    expect([table.dtype, table.shape]).toEqual(['f8', [2, CONTACT_COLUMNS.length]]);
    expect([...table.data].map(Number)).toEqual([
      ...[2, 7, 0, 0, 0, 3, 1, 12, 5, 0, 0, 1, 1e5, 0.1, 1 / 3, -0.125, 0.5],
      ...[2, 9, 1, 0, 4, 0, 0, 3, -1, -1, 0, 0, -2, 0, 4, -1e-9, 0],
    ]);
  });

  it('json: an object per contact', () => {
    const { count, contacts: list } = JSON.parse(text('json'));
    expect([count, list.length]).toEqual([2, 2]);
    expect(list[0]).toEqual({
      ...{ a: 'rock "A", left', b: 'rock B', parts: [0, 0], kind: 'node', status: 'deep' },
      ...{ featureOf: 'b', feature: 12, triangle: 5, normal: [0, 0, 1], point: [1e5, 0.1, 1 / 3] },
      ...{ distance: -0.125, area: 0.5 },
    });
    expect(list[1]).toMatchObject({ b: 'ground', featureOf: 'a', triangle: null });
  });

  it('vtp: points in float64 with point data, the normal as vectors', () => {
    const { head, arrays } = decodeVtp(encodeContacts(contacts, 'vtp'));
    expect(head).toContain('<PointData Scalars="distance" Vectors="normal">');
    expect(head).toContain('<DataArray type="Float64" Name="Points" NumberOfComponents="3"');
    expect(arrays).toEqual({
      ...{ Points: [...contacts.points], normal: [...contacts.normals], distance: [-0.125, -1e-9] },
      ...{
        area: [0.5, 0],
        kind: [0, 4],
        status: [3, 0],
        a: [2, 2],
        b: [7, 9],
        part_a: [0, 1],
        part_b: [0, 0],
      },
      ...{ feature_of: [1, 0], feature: [12, 3], triangle: [5, -1], connectivity: [0, 1], offsets: [1, 2] },
    });
  });

  it('an empty list is a file without rows', () => {
    expect(new TextDecoder().decode(encodeContacts(none, 'csv'))).toBe(`${CONTACT_COLUMNS.join()}\n`);
    expect(JSON.parse(new TextDecoder().decode(encodeContacts(none, 'json')))).toEqual({
      count: 0,
      contacts: [],
    });
    expect(parseNpy(encodeContacts(none, 'npy'), 'x.npy').shape).toEqual([0, 17]);
    expect(decodeVtp(encodeContacts(none, 'vtp')).arrays.Points).toEqual([]);
  });

  it('refuses other formats, and arrays that do not fit', () => {
    const fails = (work: () => unknown) => {
      expect(work).toThrow(InputError);
      return expect(work);
    };
    fails(() => encodeContacts(contacts, 'stl' as ContactFormat)).toThrow(
      'encodeContacts: format: found "stl", expected csv, json, npy, vtp',
    );
    fails(() => encodeContacts({ ...contacts, count: 3 }, 'csv')).toThrow(
      'encodeContacts: contacts.bodies: found 4 numbers, expected 2 for each of 3 contacts',
    );
    fails(() => encodeContacts(undefined as unknown as ContactArrays, 'csv')).toThrow(
      'encodeContacts: contacts: found undefined, expected what detect returned',
    );
    fails(() => encodeContacts({ ...contacts, count: 0.5 }, 'csv')).toThrow(
      'encodeContacts: contacts.count: found 0.5, expected how many there are',
    );
    for (const format of ['csv', 'json', 'npy', 'vtp'] as const) {
      fails(() => encodeContacts({ ...contacts, kinds: contacts.kinds.map(() => 200) }, format)).toThrow(
        /contacts\.kinds: contact 0 has 200, expected a number below \d+$/,
      );
      fails(() => encodeContacts({ ...contacts, statuses: contacts.statuses.map(() => 9) }, format)).toThrow(
        /contacts\.statuses: contact 0 has 9, expected a number below \d+$/,
      );
    }
    fails(() => encodeContacts(contacts, 'csv', { names: [] })).toThrow(
      /names: 0 names found, expected one for each body: body \d+ has none$/,
    );
    fails(() => encodeContacts(contacts, 'csv', { names: 'ab' as unknown as string[] })).toThrow(
      'encodeContacts: names: found "ab", expected an array of texts',
    );
  });
});
