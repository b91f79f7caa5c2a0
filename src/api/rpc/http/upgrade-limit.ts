/**
 * Limits how many connections are taken over by another protocol: those stay for as long as their
 * clients like, and requests need places, too.
 */
export class UpgradeLimit {
  readonly #max: number;
  #open = 0;

  /** @param maxConnections - of the listener, of which an eighth is kept for requests */
  constructor(maxConnections: number) {
    this.#max = maxConnections - Math.floor(maxConnections / 8);
  }

  /** Counts one; `leave` is to follow. @returns whether there was room for it */
  enter(): boolean {
    if (this.#open >= this.#max) return false;
    this.#open++;
    return true;
  }

  /** A counted one is gone. */
  leave(): void {
    this.#open--;
  }
}
