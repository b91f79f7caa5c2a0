import type { StrictFollower } from "./follower.ts";
import type { GatewayReceipt } from "./forms.ts";

/** Lists of a pre-confirmed block. */
export interface PreConfirmedLists {
  readonly transactions: readonly { readonly transaction_hash: string }[];
  readonly transaction_receipts: readonly (GatewayReceipt | null)[];
}

/** Response to a delta request. */
export type Delta =
  | { readonly changed: false }
  | ({ readonly changed: true; readonly block_identifier: string } & PreConfirmedLists);

/** Requests the open block like a client that does not know it yet. */
export function wholePreConfirmed(follower: StrictFollower): Promise<PreConfirmedLists> {
  return follower.read("preConfirmed", "get_preconfirmed_block?blockNumber=latest");
}

/** Requests the unknown rest of the open block. */
export function preConfirmedDelta(
  follower: StrictFollower,
  identifier: string,
  knownCount: number,
): Promise<Delta> {
  const known = `blockIdentifier=${identifier}&knownTransactionCount=${knownCount}`;
  return follower.read("preConfirmedDelta", `get_preconfirmed_block?blockNumber=latest&${known}`);
}

/** The open block as known by a client that polls for deltas. */
export class KnownPreConfirmed {
  readonly hashes: string[] = [];
  readonly receipts: (GatewayReceipt | null)[] = [];
  readonly #follower: StrictFollower;
  #identifier = "0x0";

  constructor(follower: StrictFollower) {
    this.#follower = follower;
  }

  /** Polls once. @returns whether there was anything new */
  async ask(): Promise<boolean> {
    // Candidates have no receipt yet, so they are requested again.
    const known = this.receipts.findIndex((receipt) => receipt === null);
    const count = known === -1 ? this.hashes.length : known;
    const delta = await preConfirmedDelta(this.#follower, this.#identifier, count);
    if (!delta.changed) return false;
    const kept = delta.block_identifier === this.#identifier ? count : 0;
    this.#identifier = delta.block_identifier;
    this.hashes.splice(kept);
    this.receipts.splice(kept);
    this.hashes.push(...delta.transactions.map(({ transaction_hash }) => transaction_hash));
    this.receipts.push(...delta.transaction_receipts);
    return true;
  }

  /**
   * Whether the client has everything. The block may have been replaced meanwhile, with another
   * identifier: then polls again, for some seconds.
   */
  async isComplete(): Promise<boolean> {
    const endsAtMs = Date.now() + 5_000;
    while (Date.now() < endsAtMs) {
      if (!(await this.ask())) return true;
      await Bun.sleep(20);
    }
    return false;
  }

  /** Polls until this many transactions are executed. */
  async until(count: number): Promise<void> {
    const endsAtMs = Date.now() + 30_000;
    for (;;) {
      await this.ask();
      const executed = this.receipts.filter((receipt) => receipt !== null).length;
      if (executed >= count) return;
      if (Date.now() > endsAtMs) throw new TypeError(`${executed} are executed, not ${count}`);
      await Bun.sleep(20);
    }
  }
}
