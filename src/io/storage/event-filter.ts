import type { Event } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

const BITS_PER_ITEM = 10;
const PROBES = 5;

/**
 * A Bloom filter over all addresses and keys of events; about one false match in a hundred. Form:
 * the bits, bit i at `bytes[i >> 3]`; empty when there are no events.
 */
export function eventFilter(events: Iterable<Event>): Uint8Array {
  const items = new Set<Felt>();
  for (const event of events) {
    items.add(event.fromAddress);
    for (const key of event.keys) items.add(key);
  }
  const filter = new Uint8Array(Math.ceil((items.size * BITS_PER_ITEM) / 8));
  for (const item of items) {
    eachBit(item, filter.length * 8, (bit) => {
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
      return true;
    });
  }
  return filter;
}

/** Whether events that match may have been put in. Never wrongly false. */
export function filterMayMatch(
  filter: Uint8Array,
  addresses: readonly Felt[],
  keys: readonly (readonly Felt[])[],
): boolean {
  if (filter.length === 0) return false;
  return [addresses, ...keys].every(
    (choices) => choices.length === 0 || choices.some((choice) => mayHold(filter, choice)),
  );
}

function mayHold(filter: Uint8Array, item: Felt): boolean {
  return eachBit(
    item,
    filter.length * 8,
    (bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0,
  );
}

/** Calls `visit` with the item's bits until it returns false; that is the result. */
function eachBit(item: Felt, bitCount: number, visit: (bit: number) => boolean): boolean {
  const low = Number(item & 0xffff_ffffn);
  const high = Number((item >> 32n) & 0xffff_ffffn);
  const first = mix(low ^ mix(high));
  const step = mix(high ^ mix(low ^ 0x9e37_79b9)) | 1;
  for (let i = 0; i < PROBES; i++) {
    if (!visit(((first + Math.imul(i, step)) >>> 0) % bitCount)) return false;
  }
  return true;
}

/** The finalizer of MurmurHash3: small numbers differ in few bits, filters need all of them. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return h ^ (h >>> 16);
}
