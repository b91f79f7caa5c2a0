/** Table that stores one value per distinct content. */
export class ContentTable<V> {
  readonly #bytesOf: (value: V) => Uint8Array;
  readonly #byDigest = new Map<number, V>();

  /** @param bytesOf - content of a value, which must not change */
  constructor(bytesOf: (value: V) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  /**
   * Returns the value with this content.
   *
   * @param make - creates the value if it does not exist
   */
  intern(content: Uint8Array, make: () => V): V {
    let digest = digestOf(content);
    for (;;) {
      const known = this.#byDigest.get(digest);
      if (known === undefined) break;
      if (Buffer.compare(this.#bytesOf(known), content) === 0) return known;
      // Digest collision: probe the next number.
      digest++;
    }
    const made = make();
    this.#byDigest.set(digest, made);
    return made;
  }
}

/** 52-bit digest, so that the numbers after it are exact too. */
function digestOf(bytes: Uint8Array): number {
  return Number(Bun.hash.wyhash(bytes) & ((1n << 52n) - 1n));
}
