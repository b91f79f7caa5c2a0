/** Set of blocks of a segment, as offsets from its first block. */
export class BlockSet {
  readonly #words: Uint32Array;

  /** @param blocks - number of blocks in the segment */
  constructor(blocks: number) {
    this.#words = new Uint32Array(Math.ceil(blocks / 32));
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  add(offset: number): void {
    const word = offset >> 5;
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (offset & 31));
  }

  /** Keeps only elements that are also in `other`. */
  intersect(other: BlockSet): void {
    for (const [i, word] of other.#words.entries()) this.#words[i] = (this.#words[i] ?? 0) & word;
  }

  /** Returns the smallest offset from `from` through `to`; `undefined` if none. */
  next(from: number, to: number): number | undefined {
    for (let offset = from; offset <= to;) {
      const rest = (this.#words[offset >> 5] ?? 0) >>> (offset & 31);
      if (rest === 0) {
        offset += 32 - (offset & 31);
        continue;
      }
      const found = offset + 31 - Math.clz32(rest & -rest);
      return found <= to ? found : undefined;
    }
    return undefined;
  }
}
