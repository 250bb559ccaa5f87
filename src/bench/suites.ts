/** The suites behind their names. Suites about points are plans with ways; the others have cases of their own. */
import { planContacts } from './contacts/suite.ts';
import { planDem } from './dem/suite.ts';
import { planDistance } from './distance/suite.ts';
import { graded, growth, inside, stream } from './inside/inside.ts';
import { depth, multipole } from './inside/multipole.ts';
import { resolution } from './inside/resolution.ts';
import { winding } from './inside/winding.ts';
import { planPairs } from './pairs/suite.ts';
import { paper } from './paper/paper.ts';
import { type PointSuite, planPoints } from './points/suite.ts';
import { planStacks } from './stacks/suite.ts';
import type { PlannedSuite, RunContext } from './suite.ts';
import type { SuiteName } from './suite-names.ts';

const POINT_SUITES = {
  ...{ paper, inside, graded, growth, stream, resolution, multipole, depth, winding },
} as const satisfies Record<Exclude<SuiteName, 'pairs' | 'contacts' | 'dem' | 'stacks' | 'distance'>, PointSuite>;

export function planSuite(name: SuiteName, context: RunContext): Promise<PlannedSuite> {
  if (name === 'pairs') return planPairs(context);
  if (name === 'dem') return planDem(context);
  if (name === 'stacks') return planStacks(context);
  if (name === 'distance') return planDistance(context);
  return name === 'contacts' ? planContacts(context) : planPoints(name, POINT_SUITES[name], context);
}
