// P2M (Muth et al., eq. 22): moments of degrees 1 .. DEGREE of a few triangles of a cluster about its cell's centre,
// in cell units; sum-panels.wgsl adds them up. R of one degree less is integrated by a product of Gauss rules that is
// exact for it, four points at a time, and n . grad R made of that: docs/multipole.md, "Operators".

// Highest degree, quads of points of the rule, floats per panel.
override DEGREE: u32 = 6u;
override RULE_QUADS: u32 = 3u;
override STRIDE: u32 = 48u;

const SIDE = 13u;
// Room for degrees 0 .. 11.
const INTEGRALS = 144u;

fn vertex(t: u32, corner: u32) -> vec3f {
  let v = 3u * corners[3u * t + corner];
  return vec3f(vertices[v], vertices[v + 1u], vertices[v + 2u]);
}

@compute @workgroup_size(GROUP)
fn p2m(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  // First and last triangle, cluster.
  let panel = panels[thread];
  let cell = clusters[panel.z];
  var integrals: array<f32, INTEGRALS>;
  for (var t = panel.x; t < panel.y; t++) {
    let corner = vertex(t, 0u);
    // Differences first: a small triangle's sides stay exact to a rounding.
    let u = (vertex(t, 1u) - corner) * cell.inverse;
    let v = (vertex(t, 2u) - corner) * cell.inverse;
    let origin = (corner - cell.centre) * cell.inverse;
    for (var i = 0u; i < DEGREE * DEGREE; i++) {
      integrals[i] = 0.0;
    }
    for (var k = 0u; k < RULE_QUADS; k++) {
      let a = rule[3u * k];
      let b = rule[3u * k + 1u];
      let x = origin.x + a * u.x + b * v.x;
      let y = origin.y + a * u.y + b * v.y;
      let z = origin.z + a * u.z + b * v.z;
      let square = x * x + y * y + z * z;
      var cosine = rule[3u * k + 2u];
      var sine = vec4f(0.0);
      for (var m = 0u; m < DEGREE; m++) {
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
        for (var n = m; n < DEGREE; n++) {
          let at = n * n + n;
          // For m = 0 the sines are 0, and leave what is there.
          integrals[at - m] += (s.x + s.y) + (s.z + s.w);
          integrals[at + m] += (c.x + c.y) + (c.z + c.w);
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
    }
    let normal = 0.5 * cross(u, v);
    for (var n = 1u; n <= DEGREE; n++) {
      let at = thread * STRIDE + n * n + n - 1u;
      let low = (n - 1u) * n;
      for (var m = 0u; m <= n; m++) {
        let f = factors[SIDE * (SIDE + n) + m];
        var cosine = 0.0;
        var sine = 0.0;
        if (m < n) {
          cosine += f.x * normal.z * integrals[low + m];
          if (m > 0u) {
            sine += f.x * normal.z * integrals[low - m];
          }
        }
        if (m + 1u < n) {
          let c = integrals[low + m + 1u];
          let s = integrals[low - m - 1u];
          cosine += f.y * (normal.x * c + normal.y * s);
          sine += f.y * (normal.x * s - normal.y * c);
        }
        if (m > 0u) {
          let c = integrals[low + m - 1u];
          let s = select(0.0, integrals[low + 1u - m], m > 1u);
          cosine += f.z * (normal.x * c - normal.y * s);
          sine += f.z * (normal.x * s + normal.y * c);
        }
        panelMoments[at + m] += cosine;
        if (m > 0u) {
          panelMoments[at - m] += sine;
        }
      }
    }
  }
}
