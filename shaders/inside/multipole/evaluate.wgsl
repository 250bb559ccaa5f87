// requires common/argument.wgsl
// J of four points of one leaf a thread (Muth et al., eqs. 18 and 20), with a bound of its error: the leaf's local
// expansion (L2P), and the exact near field (P2P) by its boundary. See docs/multipole.md, "Near field" and "Float32".
//
// Coordinates are taken with k, the fixed vector of the boundary's angles, as third axis: the leaf's rays run against
// it.

// Degree of the expansion, quads of its coefficients per cell.
override DEGREE: u32 = 2u;
override ROWS: u32 = 3u;

const SIDE = 13u;
const POLYLINE_START = 0x80000000u;
const CELL_RADIUS = 0.8660254;
const SQRT_3 = 1.7320508;
const GROWN = 1.0 + 0x1p-19f;

struct LocalField {
  value: vec4f,
  bound: vec4f,
}

// Chords of the bounds at 1/4, 1/2, 3/4 and 1 of the circumradius; the first below.
fn boundAt(nodes: vec4f, radius: vec4f) -> vec4f {
  let place = 4.0 * radius - 1.0;
  let first = select(place, vec4f(0.0), place < vec4f(0.0));
  let low = nodes.x + first * (nodes.y - nodes.x);
  let middle = nodes.y + (place - 1.0) * (nodes.z - nodes.y);
  let last = select(place - 2.0, vec4f(1.0), place > vec4f(3.0));
  let high = nodes.z + last * (nodes.w - nodes.z);
  return select(select(low, middle, place > vec4f(1.0)), high, place > vec4f(2.0));
}

// L2P for degree 2, written out.
fn localQuadrupole(base: u32, x: vec4f, y: vec4f, z: vec4f, square: vec4f) -> vec4f {
  let plane = locals[base + 4u] * x + locals[base + 5u] * z;
  let across = 0.5 * locals[base + 8u] * (x * x - y * y);
  let axis = locals[base + 6u] * (1.5 * z * z - 0.5 * square);
  let linear = locals[base] + locals[base + 1u] * y + locals[base + 2u] * z + locals[base + 3u] * x;
  return linear + (SQRT_3 * (plane * y + locals[base + 7u] * x * z + across) + axis);
}

// L2P: the sum of R_nm times the coefficients, x, y and z from the cell's centre in cells.
fn localField(cell: u32, x: vec4f, y: vec4f, z: vec4f) -> LocalField {
  let base = cell * 4u * (ROWS + 1u);
  let square = x * x + y * y + z * z;
  var value = vec4f(0.0);
  if (DEGREE == 2u) {
    value = localQuadrupole(base, x, y, z, square);
  } else {
    value = localSeries(base, x, y, z, square);
  }
  let last = base + 4u * ROWS;
  let nodes = vec4f(locals[last], locals[last + 1u], locals[last + 2u], locals[last + 3u]);
  return LocalField(value, boundAt(nodes, sqrt(square) * (GROWN / CELL_RADIUS)) * GROWN);
}

fn localSeries(base: u32, x: vec4f, y: vec4f, z: vec4f, square: vec4f) -> vec4f {
  var value = vec4f(0.0);
  var cosine = vec4f(1.0);
  var sine = vec4f(0.0);
  for (var m = 0u; m <= DEGREE; m++) {
    if (m > 0u) {
      let f = factors[m].z;
      let next = f * (x * cosine - y * sine);
      sine = f * (x * sine + y * cosine);
      cosine = next;
    }
    var c = cosine;
    var s = sine;
    var olderC = vec4f(0.0);
    var olderS = vec4f(0.0);
    for (var n = m; n <= DEGREE; n++) {
      let at = base + n * n + n;
      // For m = 0 the sines are 0.
      value += locals[at + m] * c + locals[at - m] * s;
      let factor = factors[SIDE * (n + 1u) + m];
      let above = factor.x * z;
      let below = factor.y * square;
      let newC = above * c - below * olderC;
      let newS = above * s - below * olderS;
      olderC = c;
      olderS = s;
      c = newC;
      s = newS;
    }
  }
  return value;
}

@compute @workgroup_size(GROUP)
fn evaluate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let number = points[4u * thread + 3u].x;
  let leaf = cells[number];
  let far = localField(
    number,
    (bitcast<vec4f>(points[4u * thread]) - leaf.centre.x) * leaf.inverse,
    (bitcast<vec4f>(points[4u * thread + 1u]) - leaf.centre.y) * leaf.inverse,
    (bitcast<vec4f>(points[4u * thread + 2u]) - leaf.centre.z) * leaf.inverse,
  );

  let w = leaf.direction >> 1u;
  let u = select(w + 1u, 0u, w == 2u);
  let v = select(u + 1u, 0u, u == 2u);
  let sign = select(-1.0, 1.0, (leaf.direction & 1u) == 1u);
  let x = bitcast<vec4f>(points[4u * thread + u]);
  let y = bitcast<vec4f>(points[4u * thread + v]);
  let z = bitcast<vec4f>(points[4u * thread + w]) * sign;

  // Half the angle of (k, a, b) is the argument of |a||b| + a.b + |b| k.a + |a| k.b + i k.(a x b), which is
  // (|a| + k.a)(|b| + k.b) plus the product of the projections across k, one of them conjugate.
  var re = vec4f(1.0);
  var im = vec4f(0.0);
  var turns = vec4f(0.0);
  var steepness = vec4f(0.0);
  var ax = vec4f(0.0);
  var ay = vec4f(0.0);
  var a = vec4f(0.0);
  var aAbove = vec4f(0.0);
  for (var i = leaf.first; i < leaf.middle; i++) {
    let entry = entries[i];
    let goes = vec4<bool>(entry < POLYLINE_START);
    let vertex = 3u * (entry & (POLYLINE_START - 1u));
    let bx = vertices[vertex + u] - x;
    let by = vertices[vertex + v] - y;
    let bz = vertices[vertex + w] * sign - z;
    let b = sqrt(bx * bx + by * by + bz * bz);
    let bAbove = b + bz;
    let product = a * b;
    let den = aAbove * bAbove + ax * bx + ay * by;
    let num = ax * by - ay * bx;
    let height = abs(num);
    let limit = params.doubt * product + params.leastNumber;
    let counts = goes & ((height > limit) | (den > limit));
    // What is nearly 0 is 0: else underflow could move the product over the cut without a turn.
    let n = select(vec4f(0.0), num, counts & (height > params.leastHeight * limit));
    let d = select(vec4f(1.0), den, counts);
    let re1 = re * d - im * n;
    let im1 = re * n + im * d;
    let f = inverseScale(abs(re1) + abs(im1));
    steepness += select(product * f, vec4f(params.turn), goes & !counts);
    let was = im < vec4f(0.0);
    let is = im1 < vec4f(0.0);
    let back = n < vec4f(0.0);
    turns += select(vec4f(0.0), select(vec4f(-1.0), vec4f(1.0), is), (was != is) & (is != back));
    re = re1 * f;
    im = im1 * f;
    ax = bx;
    ay = by;
    a = b;
    aAbove = bAbove;
  }

  // Rays along -k: the projected triangle is around the point, and the volume says that its plane is on that side.
  for (var i = leaf.middle; i < leaf.end; i += 3u) {
    let va = 3u * entries[i];
    let vb = 3u * entries[i + 1u];
    let vc = 3u * entries[i + 2u];
    let ax = vertices[va + u] - x;
    let ay = vertices[va + v] - y;
    let az = vertices[va + w] * sign - z;
    let bx = vertices[vb + u] - x;
    let by = vertices[vb + v] - y;
    let bz = vertices[vb + w] * sign - z;
    let cx = vertices[vc + u] - x;
    let cy = vertices[vc + v] - y;
    let cz = vertices[vc + w] * sign - z;
    let ab = ax * by - ay * bx;
    let bc = bx * cy - by * cx;
    let ca = cx * ay - cy * ax;
    let volume = az * bc + bz * ca + cz * ab;
    let across = abs(ax) + abs(ay) + abs(bx) + abs(by) + abs(cx) + abs(cy);
    let square = across * across;
    let edgeError = params.edgeError * square + params.leastNumber;
    let volumeError = params.volumeError * square * (abs(az) + abs(bz) + abs(cz)) + params.leastNumber;
    let low = select(ab, bc, bc < ab);
    let least = select(low, ca, ca < low);
    let high = select(ab, bc, bc > ab);
    let most = select(high, ca, ca > high);
    let ahead = least > edgeError;
    let behind = most < -edgeError;
    let beyond = volume > volumeError;
    let before = volume < -volumeError;
    let crosses = (ahead & before) | (behind & beyond);
    let passes = (ahead & beyond) | (behind & before) | ((least < -edgeError) & (most > edgeError));
    turns += select(vec4f(0.0), select(vec4f(1.0), vec4f(-1.0), ahead), crosses);
    steepness += select(vec4f(params.turn), vec4f(0.0), crosses | passes);
  }

  let value = far.value + sign * (turns + argument(re, im));
  results[2u * thread] = value;
  results[2u * thread + 1u] = far.bound + params.rounding * steepness + params.constant + params.spacing * abs(value);
}
