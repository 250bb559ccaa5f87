/**
 * Rigidly connected bodies as one: Neumayr and Otter (2019), sections 4.1 and 4.2. In time proportional to bodies and
 * joints.
 */

/** What the search needs to know of a body. */
export interface BodyTraits {
  readonly canCollide: boolean;
  readonly hasMass: boolean;
  readonly isVisible: boolean;
  readonly hasForceElement: boolean;
}

/** A joint, as an edge between bodies; -1 is the world. */
export interface Edge {
  readonly a: number;
  readonly b: number;
  readonly isFixed: boolean;
  readonly canCollide: boolean;
  /** Joints with a lower number are in the tree rather than others. Default 0. */
  readonly order?: number;
}

export interface SuperObject {
  /** Its first body, -1 for the world. All of its bodies are placed relative to it. */
  readonly root: number;
  /** Bodies, depth first. */
  readonly bodies: readonly number[];
  /** The joint that hangs it on another super-object; -1 for one that moves freely, and for the world. */
  readonly joint: number;
  /** The super-object that it hangs on; 0, the world, where it moves freely. */
  readonly parent: number;
  /** Bodies that can collide, that have mass, that forces need at every step, and that are only seen. */
  readonly collision: readonly number[];
  readonly mass: readonly number[];
  readonly force: readonly number[];
  readonly visual: readonly number[];
  /** Super-objects met later that it does not collide with, as a joint is between them. */
  readonly noCPairs: readonly number[];
}

export interface SuperObjects {
  /** The first one is the world. A super-object comes after the one that it hangs on. */
  readonly all: readonly SuperObject[];
  /** `[n]`: the super-object of each body. */
  readonly of: Int32Array;
  /** Joints that close a loop, in order. */
  readonly cutJoints: readonly number[];
  /** Joints within one super-object: they say nothing. */
  readonly idleJoints: readonly number[];
}

/**
 * @param parents `[n]`: the body that each one is fixed to, -1 for none. No circles
 * @param isStatic `[n]`: 1 for parts of the world
 */
export function superObjectsOf(
  traits: readonly BodyTraits[],
  parents: Int32Array,
  isStatic: Uint8Array,
  joints: readonly Edge[],
): SuperObjects {
  const count = traits.length;
  const place = (body: number) => (body < 0 ? count : body);
  const { fixed, hinged } = connectionsOf(place, parents, isStatic, joints);
  // Depth first within a super-object. Children go onto the stack in reverse, so that the first one is visited first.
  const of = new Int32Array(count + 1).fill(-1);
  const bodiesFrom = (root: number, number: number): number[] => {
    const bodies: number[] = [];
    const stack = [root];
    while (stack.length > 0) {
      const body = stack.pop()!;
      if (of[place(body)] === number) continue;
      of[place(body)] = number;
      if (body >= 0) bodies.push(body);
      const next = fixed[place(body)]!;
      for (let k = next.length - 1; k >= 0; k--) if (of[place(next[k]!)] !== number) stack.push(next[k]!);
    }
    return bodies;
  };

  const buffer: Draft[] = [];
  const push = (root: number, joint: number, parent: number) => {
    const bodies = bodiesFrom(root, buffer.length);
    buffer.push({ root, bodies, joint, parent, noCPairs: new Set() });
  };
  const closing = closingJoints(count, fixed, joints);
  const isCut = new Set(closing);
  const isTaken = new Uint8Array(joints.length);
  const idle: number[] = [];
  const cutPairs: number[] = [];
  let position = 0;
  const search = () => {
    for (; position < buffer.length; position++) {
      const { root, bodies } = buffer[position]!;
      for (const body of root < 0 ? [-1, ...bodies] : bodies) {
        for (const joint of hinged[place(body)]!) {
          if (isTaken[joint] === 1) continue;
          isTaken[joint] = 1;
          const { a, b } = joints[joint]!;
          const other = a === body ? b : a;
          if (of[place(other)] === position) idle.push(joint);
          else if (isCut.has(joint)) cutPairs.push(joint);
          else {
            push(other, joint, position);
            exclude(joint);
          }
        }
      }
    }
  };
  const ends = (joint: number) => [joints[joint]!.a, joints[joint]!.b];
  const exclude = (joint: number) => {
    const [first, last] = ends(joint)
      .map((body) => of[place(body)]!)
      .sort((x, y) => x - y) as [number, number];
    if (!joints[joint]!.canCollide) buffer[first]!.noCPairs.add(last);
  };
  push(-1, -1, 0);
  search();
  for (let body = 0; body < count; body++) {
    if (of[body]! >= 0) continue;
    push(body, -1, 0);
    search();
  }
  // Indices of cut-joints come last, as all super-objects have theirs then.
  for (const joint of cutPairs) exclude(joint);
  joints.forEach(({ isFixed }, joint) => {
    if (isFixed) idle.push(joint);
  });
  const hasJoint = Uint8Array.from(hinged, (own) => (own.length > 0 ? 1 : 0));
  const hasCut = new Uint8Array(count + 1);
  for (const joint of cutPairs) for (const body of ends(joint)) hasCut[place(body)] = 1;
  return {
    all: buffer.map((draft) => withUses(draft, traits, hasJoint, hasCut)),
    of: of.subarray(0, count),
    cutJoints: cutPairs.sort((a, b) => a - b),
    idleJoints: idle.sort((a, b) => a - b),
  };
}

/** Of each body, the world last: what is fixed to it, and its joints. */
function connectionsOf(
  place: (body: number) => number,
  parents: Int32Array,
  isStatic: Uint8Array,
  joints: readonly Edge[],
) {
  const count = parents.length;
  const fixed: number[][] = Array.from({ length: count + 1 }, () => []);
  const hinged: number[][] = Array.from({ length: count + 1 }, () => []);
  const fix = (a: number, b: number) => {
    fixed[place(a)]!.push(b);
    fixed[place(b)]!.push(a);
  };
  for (let body = 0; body < count; body++) {
    if (isStatic[body] === 1) fix(-1, body);
    if (parents[body]! >= 0) fix(parents[body]!, body);
  }
  joints.forEach(({ a, b, isFixed }, joint) => {
    if (isFixed) fix(a, b);
    else for (const body of [a, b]) hinged[place(body)]!.push(joint);
  });
  return { fixed, hinged };
}

/** A super-object before it is known what its bodies are for. */
interface Draft {
  readonly root: number;
  readonly bodies: readonly number[];
  readonly joint: number;
  readonly parent: number;
  readonly noCPairs: Set<number>;
}

function withUses(
  draft: Draft,
  traits: readonly BodyTraits[],
  hasJoint: Uint8Array,
  hasCut: Uint8Array,
): SuperObject {
  const pick = (is: (body: number, own: BodyTraits) => boolean) =>
    draft.bodies.filter((body) => is(body, traits[body]!));
  const isForce = (body: number, { canCollide, hasForceElement }: BodyTraits) =>
    canCollide || hasForceElement || hasJoint[body] === 1;
  return {
    ...draft,
    noCPairs: [...draft.noCPairs],
    collision: pick((_, own) => own.canCollide),
    mass: pick((_, own) => own.hasMass),
    force: pick(isForce),
    visual: pick((body, own) => own.isVisible && !own.hasMass && hasCut[body] === 0 && !isForce(body, own)),
  };
}

/**
 * Joints whose ends are connected already, as joints come one after the other by their numbers of order.
 */
function closingJoints(
  count: number,
  fixed: readonly (readonly number[])[],
  joints: readonly Edge[],
): readonly number[] {
  const above = Int32Array.from({ length: count + 1 }, (_, i) => i);
  const rootOf = (body: number) => {
    let at = body < 0 ? count : body;
    while (above[at] !== at) {
      above[at] = above[above[at]!]!;
      at = above[at]!;
    }
    return at;
  };
  fixed.forEach((others, body) => {
    for (const other of others) above[rootOf(other)] = rootOf(body);
  });
  const hinges = [...joints.keys()].filter((joint) => !joints[joint]!.isFixed);
  const orderOf = (joint: number) => joints[joint]!.order ?? 0;
  return hinges
    .sort((a, b) => orderOf(a) - orderOf(b))
    .filter((joint) => {
      const [a, b] = [rootOf(joints[joint]!.a), rootOf(joints[joint]!.b)];
      above[a] = b;
      return a === b;
    });
}
