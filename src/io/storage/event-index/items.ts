import { type Felt, FELT_BYTES, writeFelt } from "#base/primitives/index.ts";
import type { EventQuery } from "#engine/state/index.ts";
import type { Event } from "#protocol/chain/index.ts";

/** What an item says of an event; a key at position i is of kind `KEY + i`. */
const ANY = 0;
const ADDRESS = 1;
const KEY = 2;

/**
 * The 32-bit numbers by which the events of a block are found, ascending and unique: one for each
 * address, one for each key and its position, and one that every block with events has. Empty when
 * there are no events.
 *
 * Form: xxHash32 over the felt as 32 big-endian bytes; the seed is the kind (0 any, over 0; 1 address;
 * 2 + i key at position i).
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
 * What blocks need to have for a query: of each group one of its items. Groups with few items come
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
