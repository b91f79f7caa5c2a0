import { SEGMENT_BLOCKS } from "./segment.ts";

/** Sortable list of pairs of an item and a block offset; 8 bytes each. */
export class PairList {
  #pairs = new Float64Array(1024);
  #length = 0;

  /** @param offset - below {@link SEGMENT_BLOCKS} */
  add(item: number, offset: number): void {
    if (this.#length === this.#pairs.length) {
      const longer = new Float64Array(2 * this.#length);
      longer.set(this.#pairs);
      this.#pairs = longer;
    }
    this.#pairs[this.#length++] = item * SEGMENT_BLOCKS + offset;
  }

  /** Calls `visit` once per distinct pair, by item and then by offset. */
  forEachAscending(visit: (item: number, offset: number) => void): void {
    let before = -1;
    const pairs = this.#pairs.subarray(0, this.#length).sort();
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i] ?? before;
      if (pair === before) continue;
      before = pair;
      const item = Math.floor(pair / SEGMENT_BLOCKS);
      visit(item, pair - item * SEGMENT_BLOCKS);
    }
  }
}
