/** Why steps on the GPU have stopped. */
import type { Infer } from 'typegpu/data';
import type { ScreeError } from '../../errors.ts';
import * as stops from '../monitors/stops.ts';
import { BodyStatus } from '../motion/motion.ts';
import type { StepClock } from '../motion/step-clock.ts';
import { appearanceSteps } from '../scene/comings-and-goings.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';
import type { BodyState } from '../steps/simulation-backend.ts';
import { type StepControl, StopReason } from './step-layout.ts';

/**
 * @param control has stopped for a reason other than room
 * @param cell edge of the cells of positions. `space`: undefined where it does not repeat
 * @param stateOf reads a half of the bodies
 */
export async function reasonOf(
  control: Infer<typeof StepControl>,
  {
    model,
    clock,
    cell,
    space,
  }: {
    readonly model: SimulationModel;
    readonly clock: StepClock;
    readonly cell: number;
    readonly space: RepeatedSpace | undefined;
  },
  stateOf: (half: number) => Promise<BodyState>,
): Promise<ScreeError> {
  const { stop, stopBody, stopPartner, stopValue, steps, current, mostDepth } = control;
  const at = { step: control.timeStep === 0 ? steps : steps + 1, timeStep: clock.timeStep };
  const { names } = model;
  const pair = [stopBody, stopPartner] as const;
  if (stop === StopReason.tooFar) {
    const [before, after] = [await stateOf(current), await stateOf(1 - current)];
    const way = [0, 1, 2].map(
      (k) => after.positions[3 * stopBody + k]! - before.positions[3 * stopBody + k]!,
    );
    // It may have come in on the other side.
    space?.axes.forEach((axis, j) => {
      const i = 3 * stopBody + axis;
      way[axis]! += ((after.turns?.[i] ?? 0) - (before.turns?.[i] ?? 0)) * space.lengths[j]!;
    });
    return stops.movedTooFar(at, names, stopBody, Math.hypot(...way), model.laws.radii[stopBody]!);
  }
  if (stop === StopReason.notFinite) return stops.notFinite(at, names, stopBody);
  if (stop === StopReason.stepTooLong) return stops.tooStiff(at, stopValue, names, pair);
  if (stop === StopReason.tooDeep) {
    const radius = stops.smallerRadius(model.laws.radii, ...pair);
    return stops.tooDeep(at, names, pair, stopValue, mostDepth * radius, control.isByImpulses === 1);
  }
  if (stop === StopReason.blocked) {
    const appearsAfter = appearanceSteps(model.appearsAt, clock);
    const { statuses } = await stateOf(current);
    const isNew = (body: number) => statuses[body] === BodyStatus.absent && appearsAfter[body]! <= at.step;
    return stops.blocked(
      at,
      model,
      isNew(stopPartner) ? [stopPartner, stopBody] : [stopBody, stopPartner],
      stopValue,
    );
  }
  if (stop === StopReason.balance)
    return stops.imbalanced(at, names, pair[0] === pair[1] ? [] : pair, stopValue);
  if (stop !== StopReason.escaped) throw new Error(`stop ${stop}`);
  // Those of the step that was not made.
  const { positions } = await stateOf(1 - current);
  const place = positions.subarray(3 * stopBody, 3 * stopBody + 3);
  return stops.escaped(at, model, stopBody, place, stops.boundsOf(model, cell));
}
