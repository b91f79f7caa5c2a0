import type { MempoolEntry } from "./types.ts";

/** Whether `a` is to be executed before `b`. */
export type Before = (a: MempoolEntry, b: MempoolEntry) => boolean;

/** Higher tip first, then earlier arrival, then hash, so that the order is total. */
export function tipOrder(a: MempoolEntry, b: MempoolEntry): boolean {
  if (a.tip !== b.tip) return a.tip > b.tip;
  return arrivalOrder(a, b);
}

/** Earlier arrival first. */
export function arrivalOrder(a: MempoolEntry, b: MempoolEntry): boolean {
  if (a.receivedAtMs !== b.receivedAtMs) return a.receivedAtMs < b.receivedAtMs;
  return a.hash < b.hash;
}

/**
 * A binary heap of executable entries. Entries that were replaced or dropped stay until they come
 * up: the owner checks each popped entry.
 */
export class ReadyHeap {
  readonly #items: MempoolEntry[] = [];
  readonly #before: Before;

  constructor(before: Before) {
    this.#before = before;
  }

  push(entry: MempoolEntry): void {
    const items = this.#items;
    let at = items.length;
    items.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#before(entry, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = entry;
  }

  pop(): MempoolEntry | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      let best = last;
      let bestAt = at;
      for (const child of [left, left + 1]) {
        const item = items[child];
        if (item !== undefined && this.#before(item, best)) {
          best = item;
          bestAt = child;
        }
      }
      if (bestAt === at) break;
      items[at] = best;
      at = bestAt;
    }
    items[at] = last;
    return top;
  }
}
