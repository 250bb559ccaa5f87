// Both sums together. The first one's bodies stay where amounts are equal.

fn addSums(one: ForceSums, other: ForceSums) -> ForceSums {
  var sum = one;
  sum.elastic += other.elastic;
  sum.tangential += other.tangential;
  sum.rolled += other.rolled;
  sum.dashpots += other.dashpots;
  sum.friction += other.friction;
  sum.rolling += other.rolling;
  sum.belts += other.belts;
  sum.open += other.open;
  sum.contacts += other.contacts;
  sum.inserted += other.inserted;
  sum.removed += other.removed;
  sum.held += other.held;
  sum.heldRolled += other.heldRolled;
  sum.bounced += other.bounced;
  sum.slid += other.slid;
  sum.rolledOff += other.rolledOff;
  sum.work += other.work;
  sum.pushed += other.pushed;
  sum.deepest = max(one.deepest, other.deepest);
  if (other.deepestShare > one.deepestShare) {
    sum.deepestShare = other.deepestShare;
    sum.deepestA = other.deepestA;
    sum.deepestB = other.deepestB;
  }
  if (other.newShare > one.newShare) {
    sum.newShare = other.newShare;
    sum.newDepth = other.newDepth;
    sum.newA = other.newA;
    sum.newB = other.newB;
  }
  if (other.largestFrequency > one.largestFrequency) {
    sum.largestFrequency = other.largestFrequency;
    sum.stiffestA = other.stiffestA;
    sum.stiffestB = other.stiffestB;
  }
  return sum;
}
