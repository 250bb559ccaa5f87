// requires contacts/field/nearest.wgsl
// requires contacts/nodes/item-of-contact.wgsl
// requires contacts/nodes/write-record.wgsl
// Depth, normal and nearest triangle of each node inside. Twin: src/contacts/nodes/nodes-in-fields.ts. A thread goes
// from contact to contact.

const NODE_KIND = 0u;

@compute @workgroup_size(GROUP)
fn writeNodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let places = placesOfContacts();
  for (var place = places.x + threadOf(id, groups); place < places.y; place += threadsIn(groups)) {
    let found = itemOfContact(place);
    let item = items[found.item];
    let side = sideOf(item.x);
    let nodes = tableOf(side.shape, NODES);
    var mask = item.z;
    for (var before = 0u; before < found.rank; before++) {
      mask &= mask - 1u;
    }
    let node = CLUSTER * item.y + firstTrailingBit(mask);
    let point = vectorAt(nodes + 4u * node);
    let field = depthAt(side.partnerShape, side.inPartner.rotation * point + side.inPartner.origin);
    let status = select(SURE, IS_DEEP, field.isDeep);
    let area = numberAt(nodes + 4u * node + 3u);
    writeRecord(place, pairs[item.x >> 1u], side, Found(
      node, point, field.normal, abs(field.depth), area, field.triangle, NODE_KIND, status,
    ));
  }
}
