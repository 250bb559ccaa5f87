/** All cases of `scree validate`, in the order of the report. */
import { collisions } from './cases/collisions.ts';
import { complementarity, complementarityLong } from './cases/complementarity.ts';
import { breaks, pieces, rebound } from './cases/contact-events.ts';
import { driven } from './cases/driven.ts';
import { potential, walls } from './cases/energy.ts';
import { drum, heap, hopper } from './cases/flow.ts';
import { bounce, incline, slipToRoll } from './cases/friction.ts';
import { held } from './cases/held.ts';
import { billiards, cradle, hertz, oblique, restitution } from './cases/impacts.ts';
import { impulses } from './cases/impulses.ts';
import { losses } from './cases/losses.ts';
import { loops, mechanisms } from './cases/mechanisms.ts';
import { nut, nutLong } from './cases/nut.ts';
import { pairsOfKinds, pairsOfKindsLong } from './cases/pairs-of-kinds.ts';
import { pile } from './cases/pile.ts';
import { far, meshWalls, rest, restLong, towers } from './cases/rest.ts';
import { dashpot, offCentre, rotation } from './cases/rigid.ts';
import type { ValidationCase } from './validation-case.ts';

export const CASES: readonly ValidationCase[] = [
  ...[hertz, restitution, oblique, dashpot, cradle, billiards, offCentre, rotation],
  ...[
    incline,
    slipToRoll,
    bounce,
    driven,
    potential,
    collisions,
    pairsOfKinds,
    pairsOfKindsLong,
    walls,
    losses,
  ],
  ...[
    rest,
    restLong,
    towers,
    meshWalls,
    far,
    held,
    impulses,
    complementarity,
    complementarityLong,
    nut,
    nutLong,
    pile,
    heap,
    drum,
    hopper,
  ],
  ...[mechanisms, loops, rebound, breaks, pieces],
];
