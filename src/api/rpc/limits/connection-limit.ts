/** How many connections a listener takes. */
export interface ConnectionLimits {
  /** Open at a time. */
  readonly max: number;
  /** Open at a time from one address; `Infinity` for as many as there may be. */
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

  /** How many connections of the address are open. */
  count(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }

  /** The address with most connections; `undefined` where none is open. */
  largest(): { readonly address: string; readonly count: number } | undefined {
    let largest: { readonly address: string; readonly count: number } | undefined;
    for (const [address, count] of this.#byAddress) {
      if (count > (largest?.count ?? 0)) largest = { address, count };
    }
    return largest;
  }

  /** Whether the address has fewer than it may, whatever there is in all. */
  takesMoreOf(address: string): boolean {
    return this.count(address) < this.#limits.maxPerAddress;
  }

  /**
   * Counts a connection, if there is room for it.
   *
   * @returns why there is none; `undefined` when it is counted: then {@link leave} is to follow
   */
  enter(address: string): string | undefined {
    const { max, maxPerAddress } = this.#limits;
    if (this.#open >= max) return `the node has as many connections as it takes: ${max}`;
    const ofAddress = this.count(address);
    if (ofAddress >= maxPerAddress) {
      return `there are as many connections from this address as the node takes: ${maxPerAddress}`;
    }
    this.#byAddress.set(address, ofAddress + 1);
    this.#open++;
    return undefined;
  }

  /** A counted connection is gone. */
  leave(address: string): void {
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
    this.#open--;
  }
}
