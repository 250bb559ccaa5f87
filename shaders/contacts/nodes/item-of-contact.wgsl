// Finds the cluster of a contact. Contacts have threads of their own: with a thread per cluster, threads that run side
// by side would wait for the cluster with most contacts. Bindings: `params`, `tally`, `items`, `offsets`.

struct ItemOfContact {
  item: u32,
  // Number of the contact within its cluster.
  rank: u32,
  // Place of the contact in the list.
  place: u32,
  // False where there are fewer contacts.
  isThere: bool,
}

fn itemOfContact(contact: u32) -> ItemOfContact {
  let count = min(tally.items, params.mostItems);
  if (count == 0u) {
    return ItemOfContact();
  }
  let place = offsets[params.countsAt] + contact;
  // The last cluster whose contacts do not begin behind the place: those before it may have none.
  var low = 0u;
  var high = count;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (offsets[params.countsAt + middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  let rank = place - offsets[params.countsAt + low];
  return ItemOfContact(low, rank, place, rank < countOneBits(items[low].z) + countOneBits(items[low].w));
}
