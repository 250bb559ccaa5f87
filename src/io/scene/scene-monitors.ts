/** What a scene asks to be watched: columns of the table of monitors. */
import { found } from '../../arguments.ts';
import {
  MONITOR_KINDS,
  type MonitorRegion,
  monitorColumns,
  type SceneMonitor,
  type SceneMonitors,
} from '../../dem/measures/scene-monitors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import {
  called,
  type Fields,
  listed,
  numbersAt,
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
      const normal = numbersAt(fields.normal, `${place}.normal`, 3) as unknown as Vector3;
      if (!(Math.hypot(...normal) > 0)) {
        throw new SceneError(`${place}.normal is ${found(normal)}, expected a vector longer than 0`);
      }
      return { kind, point: numbersAt(fields.point, `${place}.point`, 3) as unknown as Vector3, normal };
    }
    case 'coordination':
      return { kind, region: fields.region === undefined ? undefined : boxAt(fields, place) };
    case 'stress':
      return { kind, region: boxAt(fields, place) };
  }
}

function boxAt(monitor: Fields, monitorPlace: string): MonitorRegion {
  const place = `${monitorPlace}.region`;
  const fields = objectAt(monitor.region, place);
  requireFields(fields, place, ['low', 'high']);
  const low = numbersAt(fields.low, `${place}.low`, 3) as unknown as Vector3;
  const high = numbersAt(fields.high, `${place}.high`, 3) as unknown as Vector3;
  const axis = [0, 1, 2].find((k) => !(high[k]! > low[k]!));
  if (axis === undefined) return { low, high };
  throw new SceneError(
    `${place}.high[${axis}] is ${found(high[axis])}, expected more than low, ${low[axis]}`,
  );
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
