/**
 * Bounds the number of upgraded connections: those stay as long as their clients like, and requests need
 * connections, too.
 */
export class UpgradeLimit {
  readonly #max: number;
  #open = 0;

  /** @param maxConnections - limit of the listener; an eighth of it stays reserved for requests */
  constructor(maxConnections: number) {
    this.#max = maxConnections - Math.floor(maxConnections / 8);
  }

  /**
   * Counts an upgraded connection, if there is room; then `leave` must follow. @returns whether it was
   * counted
   */
  enter(): boolean {
    if (this.#open >= this.#max) return false;
    this.#open++;
    return true;
  }

  /** A counted connection has ended. */
  leave(): void {
    this.#open--;
  }
}
