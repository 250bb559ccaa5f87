// Sums over bodies, in one fixed order: each thread adds up `SPAN` of them.

const SPAN = 64u;

fn addBodySums(a: BodySums, b: BodySums) -> BodySums {
  var sum = a;
  sum.momentum += b.momentum;
  sum.kinetic += b.kinetic;
  sum.angularMomentum += b.angularMomentum;
  sum.gravity += b.gravity;
  sum.driven += b.driven;
  sum.inserted += b.inserted;
  sum.removed += b.removed;
  sum.present += b.present;
  sum.gone += b.gone;
  return sum;
}
