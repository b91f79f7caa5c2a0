/** Values by their content, each content once. */
export class ContentTable<V> {
  readonly #bytesOf: (value: V) => Uint8Array;
  readonly #byDigest = new Map<number, V>();

  /** @param bytesOf - content of a value, which does not change */
  constructor(bytesOf: (value: V) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  /**
   * The value with this content.
   *
   * @param make - makes it where there is none yet
   */
  intern(content: Uint8Array, make: () => V): V {
    let digest = digestOf(content);
    for (;;) {
      const known = this.#byDigest.get(digest);
      if (known === undefined) break;
      if (Buffer.compare(this.#bytesOf(known), content) === 0) return known;
      // Another content has this digest: the next number is free or has been taken for the same reason.
      digest++;
    }
    const made = make();
    this.#byDigest.set(digest, made);
    return made;
  }
}

/** 52 bits, so that the digests next to one are numbers, too. */
function digestOf(bytes: Uint8Array): number {
  return Number(Bun.hash.wyhash(bytes) & ((1n << 52n) - 1n));
}
