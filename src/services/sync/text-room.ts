type Text = Uint8Array<ArrayBuffer>;

/**
 * Memory budget for texts of a gateway that wait for a check or are being checked. A text's size is known
 * only once it has arrived: a text that does not fit is discarded, and fetched again when there is room.
 */
export class TextRoom {
  readonly #maxBytes: number;
  readonly #waiting: { readonly sizeBytes: number; readonly enter: () => void }[] = [];
  #held = 0;

  /** @param maxBytes - total budget; a single text may exceed it */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes in use. */
  get heldBytes(): number {
    return this.#held;
  }

  /**
   * Fetches a text and processes it. Its memory counts until `work` settles.
   *
   * @returns `undefined` when there is no text
   * @throws the error of `fetch` or `work`
   */
  async use<T>(
    fetch: () => Promise<Text | undefined>,
    work: (text: Text) => Promise<T>,
  ): Promise<T | undefined> {
    let reserved = 0;
    try {
      for (;;) {
        let text = await fetch();
        if (text === undefined) return undefined;
        const sizeBytes = text.length;
        const more = sizeBytes - reserved;
        if (more <= 0 || this.#hasRoom(more, reserved)) {
          if (more > 0) this.#held += more;
          reserved = Math.max(reserved, sizeBytes);
          return await work(text);
        }
        // Release the reference, so that the text can be collected during the wait.
        text = undefined;
        this.#leave(reserved);
        reserved = 0;
        await this.#enter(sizeBytes);
        reserved = sizeBytes;
      }
    } finally {
      this.#leave(reserved);
    }
  }

  /** @param own - the caller's part of the bytes in use */
  #hasRoom(sizeBytes: number, own: number): boolean {
    return this.#held === own || this.#held + sizeBytes <= this.#maxBytes;
  }

  #enter(sizeBytes: number): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.push({ sizeBytes, enter });
      this.#letIn();
    });
  }

  #leave(sizeBytes: number): void {
    this.#held -= sizeBytes;
    this.#letIn();
  }

  #letIn(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (!this.#hasRoom(next.sizeBytes, 0)) return;
      this.#waiting.shift();
      this.#held += next.sizeBytes;
      next.enter();
    }
  }
}
