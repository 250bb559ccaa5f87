// requires common/from-item-to-item.wgsl
// Finds the cluster of a contact. Threads go from contact to contact: if they went from cluster to cluster, those that
// run side by side would wait for the cluster with most contacts. Bindings: `params`, `tally`, `items`, `offsets`,
// `records`.

struct ItemOfContact {
  item: u32,
  // Number of the contact within its cluster.
  rank: u32,
}

// Places in the list of the first of all contacts of clusters, and of the one behind the last that there is room for.
fn placesOfContacts() -> vec2u {
  let count = min(tally.items, params.mostItems);
  if (count == 0u) {
    return vec2u();
  }
  let last = count - 1u;
  let end = offsets[params.countsAt + last] + countOneBits(items[last].z) + countOneBits(items[last].w);
  return vec2u(offsets[params.countsAt], min(end, arrayLength(&records)));
}

fn itemOfContact(place: u32) -> ItemOfContact {
  // The last cluster whose contacts do not begin behind the place: those before it may have none.
  var low = 0u;
  var high = min(tally.items, params.mostItems);
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (offsets[params.countsAt + middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return ItemOfContact(low, place - offsets[params.countsAt + low]);
}
