/** What a scene asks to be watched: columns of the table of monitors. */
import { found } from '../../arguments.ts';
import {
  MONITOR_KINDS,
  type MonitorRegion,
  monitorColumns,
  type SceneMonitor,
  type SceneMonitors,
} from '../../dem/measures/scene-monitors.ts';
import { requireBounds, requireRemoval } from '../../dem/scene/check-scene.ts';
import {
  called,
  checkedAt,
  type Fields,
  listed,
  objectAt,
  requireFields,
  SceneError,
} from './scene-fields.ts';

const FIELDS: Readonly<Record<SceneMonitor['kind'], readonly string[]>> = {
  load: ['bodies'],
  mass: ['point', 'normal'],
  coordination: ['region'],
  stress: ['region'],
};

/** @param names of bodies @throws SceneError */
export function monitorsOf(value: unknown, names: readonly string[]): SceneMonitors {
  const fields = objectAt(value, 'monitors');
  const monitors = Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, monitorOf(name, one, names)]),
  );
  const columns = monitorColumns(monitors);
  const twice = columns.find((column, i) => columns.indexOf(column) < i);
  if (twice === undefined) return monitors;
  throw new SceneError(`monitors has two columns ${found(twice)}, expected names that differ`);
}

function monitorOf(name: string, value: unknown, names: readonly string[]): SceneMonitor {
  // They are columns of a table, which `scree sweep --collect` takes by name.
  if (!/^[\p{L}_][\p{L}\d_-]*$/u.test(name)) {
    throw new SceneError(
      `monitors has ${found(name)}, expected a name of letters, digits, _ and -, that begins with a letter`,
    );
  }
  const place = `monitors.${called(name)}`;
  const fields = objectAt(value, place);
  const kind = fields.kind as SceneMonitor['kind'];
  if (!MONITOR_KINDS.includes(kind)) {
    throw new SceneError(`${place}.kind is ${found(kind)}, expected ${MONITOR_KINDS.join(', ')}`);
  }
  requireFields(fields, place, ['kind', ...FIELDS[kind]]);
  switch (kind) {
    case 'load':
      return { kind, bodies: bodiesAt(fields.bodies, `${place}.bodies`, names) };
    case 'mass': {
      const { point, normal } = fields;
      return { kind, ...checkedAt({ point, normal }, place, requireRemoval) };
    }
    case 'coordination':
      return { kind, region: fields.region === undefined ? undefined : boxAt(fields, place) };
    case 'stress':
      return { kind, region: boxAt(fields, place) };
  }
}

function boxAt({ region }: Fields, place: string): MonitorRegion {
  return checkedAt(region, `${place}.region`, requireBounds);
}

function bodiesAt(value: unknown, place: string, names: readonly string[]): number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new SceneError(`${place} is [], expected names of bodies`);
  return list.map((name, i) => {
    const number = names.indexOf(name as string);
    if (number >= 0) return number;
    const at = Array.isArray(value) ? `${place}[${i}]` : place;
    throw new SceneError(`${at} is ${found(name)}, expected one of ${listed(names)}`);
  });
}
