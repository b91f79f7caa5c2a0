import { type Felt, FELT_BYTES, writeFelt } from "#base/primitives/index.ts";
import type { EventQuery } from "#engine/state/index.ts";
import type { Event } from "#protocol/chain/index.ts";

/** Kinds of items; a key at position i has the kind `KEY + i`. */
const ANY = 0;
const ADDRESS = 1;
const KEY = 2;

/**
 * Returns the 32-bit numbers by which the events of a block are found, ascending and unique. There is one per
 * address, one per key and position, and one that every block with events has. Empty without events.
 *
 * Format: xxHash32 over the felt as 32 big-endian bytes. The seed is the kind: 0 for any event (over the felt
 * 0), 1 for an address, 2 + i for a key at position i.
 */
export function eventItems(events: Iterable<Event>): Uint32Array {
  const items = new Set<number>();
  const known: Set<Felt>[] = [];
  const add = (kind: number, felt: Felt): void => {
    const felts = (known[kind] ??= new Set());
    if (felts.has(felt)) return;
    felts.add(felt);
    items.add(itemOf(kind, felt));
  };
  for (const event of events) {
    add(ANY, 0n);
    add(ADDRESS, event.fromAddress);
    event.keys.forEach((key, position) => add(KEY + position, key));
  }
  return ascending(items);
}

/**
 * Returns the items that match a query: a block must have at least one item of each group. Small groups come
 * first; there is at least one group.
 */
export function queryItems({ addresses, keys }: EventQuery): readonly Uint32Array[] {
  const groups = [
    groupOf(ADDRESS, addresses),
    ...keys.map((alternatives, position) => groupOf(KEY + position, alternatives)),
  ].filter(({ length }) => length > 0);
  if (groups.length === 0) return [groupOf(ANY, [0n])];
  return groups.sort((a, b) => a.length - b.length);
}

function groupOf(kind: number, felts: readonly Felt[]): Uint32Array {
  return ascending(felts.map((felt) => itemOf(kind, felt)));
}

function ascending(items: Iterable<number>): Uint32Array {
  return Uint32Array.from(new Set(items)).sort();
}

const scratch = new Uint8Array(FELT_BYTES);
const scratchView = new DataView(scratch.buffer);

function itemOf(kind: number, felt: Felt): number {
  writeFelt(scratchView, 0, felt);
  return Bun.hash.xxHash32(scratch, kind);
}
