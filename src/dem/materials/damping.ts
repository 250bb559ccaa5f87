/** Dashpots that give a restitution. */
import { IMPACT_STEPS } from '../constants.ts';

/** Found so far: each takes some 20 ms, and the materials of scenes have few. */
const shares = new Map<string, number>();

/**
 * Share of the critical damping at which two bodies that meet head-on part with `restitution` times their speed. Their
 * force is max(0, f + c v) with f = depth^exponent, c = 2 share sqrt(f' m) and v the speed of approach. It never pulls,
 * so the usual closed forms, in which it does at the end, ask for too little damping.
 *
 * @param restitution `LEAST_RESTITUTION` to 1
 * @param exponent 1: linear springs and elastic foundations. 1.5: Hertz.
 */
export function dampingShare(restitution: number, exponent: number): number {
  const key = `${restitution} ${exponent}`;
  const share = shares.get(key) ?? shareFor(restitution, exponent);
  shares.set(key, share);
  return share;
}

function shareFor(restitution: number, exponent: number): number {
  if (restitution === 1) return 0;
  let [low, high] = [0, 1];
  while (restitutionOf(high, exponent) > restitution) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (restitutionOf(middle, exponent) > restitution) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Speed after an impact of unit mass, stiffness and speed: fourth order Runge-Kutta until the force ends. */
function restitutionOf(share: number, exponent: number): number {
  const force = (x: number, v: number) => {
    const depth = Math.max(0, x);
    const slope = exponent * depth ** (exponent - 1);
    return depth ** exponent + 2 * share * Math.sqrt(slope) * v;
  };
  // The more it is damped, the sooner it is over, and the shorter a step has to be.
  const h = 1 / (IMPACT_STEPS * Math.max(1, share));
  let [x, v] = [0, 1];
  for (;;) {
    const a1 = -force(x, v);
    const [x2, v2] = [x + (h / 2) * v, v + (h / 2) * a1];
    const a2 = -force(x2, v2);
    const [x3, v3] = [x + (h / 2) * v2, v + (h / 2) * a2];
    const a3 = -force(x3, v3);
    const [x4, v4] = [x + h * v3, v + h * a3];
    const a4 = -force(x4, v4);
    const nextX = x + (h / 6) * (v + 2 * v2 + 2 * v3 + v4);
    const nextV = v + (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    const after = force(nextX, nextV);
    if (nextV < 0 && after <= 0) {
      // The force ends within the step: the speed there, between both ends.
      const before = force(x, v);
      const part = before / (before - after);
      return -(v + part * (nextV - v));
    }
    [x, v] = [nextX, nextV];
  }
}
