// M2L (Muth et al., eq. 24) for degree 2, a cell a thread: the same series as by tables (m2l.wgsl), written as
// derivatives of the fields of a dipole and a quadrupole; and its bounds, as in m2l-bounds.wgsl for norms of degrees
// 1 .. 6. Where loads and loops are dear, as on software adapters, a tenth of the time.

// Quads of moments and norms per cluster.
override QUADS: u32 = 12u;
override COLUMNS: u32 = 9u;

const ROWS = 3u;
// Of 3, half of it and one over it: Schmidt's factors of degree 2.
const HALF_ROOT = 0.8660254;
const INVERSE_ROOT = 0.57735027;
const CELL_RADIUS = 0.8660254;
// Rounding of powers up to the 8th of a distance's inverse, each off by at most ten spacings.
const SLACK = 0x1p-15f;

@compute @workgroup_size(GROUP)
fn m2lQuadrupole(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let cell = params.firstUnit + thread;
  let end = starts[cell + 1u] - params.firstEntry;
  var sum0 = vec4f(0.0);
  var sum1 = vec4f(0.0);
  var sum2 = 0.0;
  let radii = CELL_RADIUS * vec4f(0.25, 0.5, 0.75, 1.0);
  var bounds = vec4f(0.0);
  for (var i = starts[cell] - params.firstEntry; i < end; i++) {
    let interaction = interactions[i];
    let r = vec3f(vec3i((vec3u(interaction.y) >> vec3u(14u, 19u, 24u)) & vec3u(31u)) - 12);
    let first = moments[interaction.x * QUADS];
    let second = moments[interaction.x * QUADS + 1u];
    // The potential p.r / |r|^3 + r.Q r / |r|^5, its gradient and its Hessian at r.
    let p = first.zxy;
    let qxy = HALF_ROOT * first.w;
    let qyz = HALF_ROOT * second.x;
    let qzz = second.y;
    let qxz = HALF_ROOT * second.z;
    let half = HALF_ROOT * second.w;
    let qxx = half - 0.5 * qzz;
    let qyy = -half - 0.5 * qzz;
    let v = vec3f(
      qxx * r.x + qxy * r.y + qxz * r.z,
      qxy * r.x + qyy * r.y + qyz * r.z,
      qxz * r.x + qyz * r.y + qzz * r.z,
    );
    let pr = p.x * r.x + p.y * r.y + p.z * r.z;
    let q = v.x * r.x + v.y * r.y + v.z * r.z;
    let i2 = 1.0 / (r.x * r.x + r.y * r.y + r.z * r.z);
    let i3 = i2 * sqrt(i2);
    let i5 = i3 * i2;
    let i7 = i5 * i2;
    let along = 3.0 * pr * i5 + 5.0 * q * i7;
    let gradient = i3 * p + (2.0 * i5) * v - along * r;
    let twice = 15.0 * pr * i7 + 35.0 * q * i7 * i2;
    let a = (-3.0 * i5) * p - (10.0 * i7) * v + (0.5 * twice) * r;
    let hxy = a.x * r.y + a.y * r.x + 2.0 * i5 * qxy;
    let hyz = a.y * r.z + a.z * r.y + 2.0 * i5 * qyz;
    let hxz = a.x * r.z + a.z * r.x + 2.0 * i5 * qxz;
    let hzz = 2.0 * a.z * r.z + 2.0 * i5 * qzz - along;
    let difference = 2.0 * (a.x * r.x - a.y * r.y) + 4.0 * i5 * half;
    sum0 += vec4f(pr * i3 + q * i5, gradient.y, gradient.z, gradient.x);
    sum1 += vec4f(INVERSE_ROOT * hxy, INVERSE_ROOT * hyz, 0.5 * hzz, INVERSE_ROOT * hxz);
    sum2 += 0.5 * INVERSE_ROOT * difference;

    // Degree n gives gap^(n + 1) times its norm in all; degrees 0 .. 2 of the expansion have most of that.
    let inverse = sqrt(i2);
    let distance = inverse * (r.x * r.x + r.y * r.y + r.z * r.z);
    let ratio = radii * inverse;
    let gap = 1.0 / (distance - radii);
    let gap2 = gap * gap;
    let gap3 = gap2 * gap;
    let known1 = i2 * (1.0 + ratio * (2.0 + 3.0 * ratio));
    let known2 = i3 * (1.0 + ratio * (3.0 + 6.0 * ratio));
    let at = interaction.x * COLUMNS;
    let norm1 = norms[at];
    let norm2 = norms[at + 1u];
    let reach = params.separated * distance;
    let t = select(params.largestRadius, reach, reach < params.largestRadius) * gap;
    let rest = 1.0 / (1.0 - t);
    let tail = gap * (rest + t * rest * rest / 7.0) * norms[at + 6u];
    bounds += (gap2 * (1.0 + SLACK) - known1) * norm1
      + (gap3 * (1.0 + SLACK) - known2) * norm2
      + gap2 * gap2 * (norms[at + 2u] + gap * (norms[at + 3u] + gap * (norms[at + 4u] + gap * (norms[at + 5u] + tail))))
      + (known1.w * norms[at + 7u] + known2.w * norms[at + 8u]);
  }
  let at = cell * (ROWS + 1u);
  locals[at] = sum0;
  locals[at + 1u] = sum1;
  locals[at + 2u] = vec4f(sum2, 0.0, 0.0, 0.0);
  locals[at + 3u] = bounds * params.growth;
}
