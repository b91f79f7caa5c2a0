type Text = Uint8Array<ArrayBuffer>;

/**
 * Room for texts of a gateway that wait to be checked or are being checked. How long a text is comes to
 * light when it is there: one for which there is no room is thrown away, and fetched again when there is.
 */
export class TextRoom {
  readonly #maxBytes: number;
  readonly #waiting: { readonly sizeBytes: number; readonly enter: () => void }[] = [];
  #held = 0;

  /** @param maxBytes - of all texts together; one alone may have more */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are taken. */
  get heldBytes(): number {
    return this.#held;
  }

  /**
   * Fetches a text and does something with it, which ends with it.
   *
   * @returns `undefined` when there is none
   * @throws what fetching or using it ends with
   */
  async use<T>(
    fetch: () => Promise<Text | undefined>,
    work: (text: Text) => Promise<T>,
  ): Promise<T | undefined> {
    let taken = 0;
    try {
      for (;;) {
        let text = await fetch();
        if (text === undefined) return undefined;
        const sizeBytes = text.length;
        const more = sizeBytes - taken;
        if (more <= 0 || this.#hasRoom(more, taken)) {
          if (more > 0) this.#held += more;
          taken = Math.max(taken, sizeBytes);
          return await work(text);
        }
        // Nothing may keep it meanwhile.
        text = undefined;
        this.#leave(taken);
        taken = 0;
        await this.#enter(sizeBytes);
        taken = sizeBytes;
      }
    } finally {
      this.#leave(taken);
    }
  }

  /** @param own - of what is held: that of whoever asks */
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
