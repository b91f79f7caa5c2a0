/** Connection limits of a listener. */
export interface ConnectionLimits {
  readonly max: number;
  /** Maximum open connections from one address; `Infinity` for no limit. */
  readonly maxPerAddress: number;
}

/** Counts open connections. */
export class ConnectionLimit {
  readonly #limits: ConnectionLimits;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  count(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  /** Address with the most connections; `undefined` if none is open. */
  largest(): { readonly address: string; readonly count: number } | undefined {
    let largest: { readonly address: string; readonly count: number } | undefined;
    for (const [address, count] of this.#byAddress) {
      if (count > (largest?.count ?? 0)) largest = { address, count };
    }
    return largest;
  }

  /** Whether the address is below its own limit, whatever the total is. */
  takesMoreOf(address: string): boolean {
    return this.count(address) < this.#limits.maxPerAddress;
  }

  /**
   * Counts a connection, if there is room.
   *
   * @returns the reason for refusing it; `undefined` if it was counted, and {@link leave} must follow
   */
  enter(address: string): string | undefined {
    const { max, maxPerAddress } = this.#limits;
    if (this.#open >= max) return `the node has reached its connection limit: ${max}`;
    const ofAddress = this.count(address);
    if (ofAddress >= maxPerAddress) {
      return `this address has reached its connection limit: ${maxPerAddress}`;
    }
    this.#byAddress.set(address, ofAddress + 1);
    this.#open++;
    return undefined;
  }

  /** A counted connection has closed. */
  leave(address: string): void {
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
    this.#open--;
  }
}
