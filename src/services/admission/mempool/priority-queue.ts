/**
 * A binary heap with an index of positions: any item can be removed or moved in O(log n).
 *
 * The order of an item inside may change if {@link update} is called for it before any other operation.
 */
export class PriorityQueue<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();
  readonly #before: (a: T, b: T) => boolean;

  /** @param before - whether `a` comes out before `b`; a strict order */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, or moves an item to its new place after its order has changed. */
  update(item: T): void {
    let place = this.#places.get(item);
    if (place === undefined) {
      place = this.#items.length;
      this.#items.push(item);
    }
    this.#settle(item, place);
  }

  /** Removes an item. @returns false when it is not inside */
  remove(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    this.#places.delete(item);
    const last = this.#items.pop();
    if (last !== undefined && place < this.#items.length) this.#settle(last, place);
    return true;
  }

  /** Puts `item` at `place`, overwriting the old content, and restores the heap order. */
  #settle(item: T, place: number): void {
    const up = this.#rise(item, place);
    const at = up === place ? this.#sink(item, place) : up;
    this.#put(item, at);
  }

  #rise(item: T, from: number): number {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.#items[parent] as T;
      if (!this.#before(item, above)) break;
      this.#put(above, at);
      at = parent;
    }
    return at;
  }

  #sink(item: T, from: number): number {
    const items = this.#items;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= items.length) return at;
      const right = left + 1;
      const child =
        right < items.length && this.#before(items[right] as T, items[left] as T) ? right : left;
      const below = items[child] as T;
      if (!this.#before(below, item)) return at;
      this.#put(below, at);
      at = child;
    }
  }

  #put(item: T, at: number): void {
    this.#items[at] = item;
    this.#places.set(item, at);
  }
}
