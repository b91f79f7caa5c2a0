import type { EventQuery } from "#engine/state/index.ts";
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
    const sequence = sequenceOf(item);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(sequence, probe, filter.length * 8);
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return filter;
}

/**
 * Makes the question whether events that match may have been put into a filter, for many filters.
 * Never wrongly false. Keys are looked for at any position: the filter does not know them.
 */
export function eventProbe({ addresses, keys }: EventQuery): (filter: Uint8Array) => boolean {
  const groups = [addresses, ...keys]
    .filter((choices) => choices.length > 0)
    .map((choices) => choices.map(sequenceOf));
  return (filter) => {
    const bitCount = filter.length * 8;
    if (bitCount === 0) return false;
    return groups.every((choices) => choices.some((choice) => mayHold(filter, bitCount, choice)));
  };
}

/** Where an item's bits are: the i-th at `first + i * step`, both modulo 2^32. */
interface BitSequence {
  readonly first: number;
  readonly step: number;
}

function sequenceOf(item: Felt): BitSequence {
  const low = Number(item & 0xffff_ffffn);
  const high = Number((item >> 32n) & 0xffff_ffffn);
  return { first: mix(low ^ mix(high)), step: mix(high ^ mix(low ^ 0x9e37_79b9)) | 1 };
}

function bitOf({ first, step }: BitSequence, probe: number, bitCount: number): number {
  return ((first + Math.imul(probe, step)) >>> 0) % bitCount;
}

function mayHold(filter: Uint8Array, bitCount: number, sequence: BitSequence): boolean {
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = bitOf(sequence, probe, bitCount);
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
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
