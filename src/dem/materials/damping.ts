/** Dashpots that give a restitution. */
import { IMPACT_STEPS } from '../constants.ts';

/** Found so far: each takes some 20 ms, and the materials of scenes have few. */
const shares = new Map<number, number>();

/**
 * Share of the critical damping at which two bodies that meet head-on part with `restitution` times their speed. Their
 * force is max(0, k x + c v) with c = 2 share sqrt(k m) and v the speed of approach. It never pulls, so the usual
 * closed forms, in which it does at the end, ask for too little damping. For forces f of any energy u the same share
 * serves, with c = 2 share f sqrt(m / 2 u): docs/dem.md, "Dashpots".
 *
 * @param restitution `LEAST_RESTITUTION` to 1
 */
export function dampingShare(restitution: number): number {
  const share = shares.get(restitution) ?? shareFor(restitution);
  shares.set(restitution, share);
  return share;
}

function shareFor(restitution: number): number {
  if (restitution === 1) return 0;
  let [low, high] = [0, 1];
  while (restitutionOf(high) > restitution) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (restitutionOf(middle) > restitution) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Speed after an impact of unit mass, stiffness and speed: fourth order Runge-Kutta until the force ends. */
function restitutionOf(share: number): number {
  const force = (x: number, v: number) => x + 2 * share * v;
  // The more it is damped, the sooner it is over, and the shorter a step has to be.
  const h = 1 / (IMPACT_STEPS * Math.max(1, share));
  let x = 0;
  let v = 1;
  for (;;) {
    const a1 = -force(x, v);
    const v2 = v + (h / 2) * a1;
    const a2 = -force(x + (h / 2) * v, v2);
    const v3 = v + (h / 2) * a2;
    const a3 = -force(x + (h / 2) * v2, v3);
    const v4 = v + h * a3;
    const a4 = -force(x + h * v3, v4);
    const nextX = x + (h / 6) * (v + 2 * v2 + 2 * v3 + v4);
    const nextV = v + (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    const after = force(nextX, nextV);
    if (nextV < 0 && after <= 0) {
      // The force ends within the step: the speed there, between both ends.
      const before = force(x, v);
      const part = before / (before - after);
      return -(v + part * (nextV - v));
    }
    x = nextX;
    v = nextV;
  }
}

const factors = new Map<number, number>();

/**
 * D of a force f (1 + D v / v0), with f of the depth alone and v the speed of approach: two bodies that meet with v0
 * part with `restitution` times of it, whatever f is. D (1 + e) = ln((1 + D) / (1 - D e)), from m v dv = -f (1 + D v /
 * v0) dx.
 *
 * @param restitution above 0, up to 1
 */
export function impactFactor(restitution: number): number {
  const known = factors.get(restitution);
  if (known !== undefined) return known;
  // The right side less the left one is below 0 up to the root, and above it from there to the pole at 1 / e. Where d
  // is small, its series is summed from the power of 2 on: -d^k (-1)^k / k + (d e)^k / k.
  const isBelow = (d: number) => {
    if (d > 0.1) return Math.log((1 + d) / (1 - d * restitution)) < d * (1 + restitution);
    let sum = 0;
    for (let k = 20; k >= 2; k--) sum = d * sum + (restitution ** k - (-1) ** k) / k;
    return sum < 0;
  };
  let [low, high] = [0, 1 / restitution];
  if (restitution === 1) high = 0;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  factors.set(restitution, high);
  return high;
}
