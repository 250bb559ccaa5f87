// requires convex/pair/twofold.wgsl
// Sums over bodies, in one fixed order: each thread adds up `SPAN` of them.

const SPAN = 64u;

fn addBodySums(a: BodySums, b: BodySums) -> BodySums {
  var sum = a;
  let momentum = add(Twofold(a.momentum, a.momentumLow), Twofold(b.momentum, b.momentumLow));
  sum.momentum = momentum.high;
  sum.momentumLow = momentum.low;
  let angular = add(
    Twofold(a.angularMomentum, a.angularMomentumLow),
    Twofold(b.angularMomentum, b.angularMomentumLow),
  );
  sum.angularMomentum = angular.high;
  sum.angularMomentumLow = angular.low;
  sum.kinetic += b.kinetic;
  sum.gravity += b.gravity;
  sum.driven += b.driven;
  sum.inserted += b.inserted;
  sum.removed += b.removed;
  sum.weighed += b.weighed;
  sum.present += b.present;
  sum.gone += b.gone;
  return sum;
}
