import type { CoreState, L1Block, L1Source, L1View, StateReport } from "#io/l1/index.ts";

const BLOCK: L1Block = { number: 100, hash: 0x100n, parentHash: 0x99n, timestamp: 1_000_000 };

/** An L1 that stays at one block without logs; the test sets the state of its core contract. */
export class FrozenL1 implements Pick<L1Source, "blockBefore" | "stateReports" | "view"> {
  state: CoreState = { stateRoot: 0n, blockNumber: -1n, blockHash: 0n };
  /** Error that replaces a response. */
  failure: Error | undefined;
  /** Delays responses. */
  gate: Promise<void> = Promise.resolve();
  /** Number of endpoints that report its state. */
  endpoints = 2;
  /** Number of reads. */
  views = 0;

  async view<T>(_finality: unknown, read: (view: L1View) => Promise<T>): Promise<T> {
    this.views++;
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    return read({
      block: BLOCK,
      head: BLOCK,
      logs: () => Promise.resolve([]),
      hashOf: (number) => Promise.resolve(number === BLOCK.number ? BLOCK.hash : BigInt(number)),
      coreState: () => Promise.resolve(this.state),
      nextMessageNonce: () => Promise.resolve(0n),
      messages: (hashes) =>
        Promise.resolve(hashes.map(() => ({ feePlusOne: 0n, cancellationStarted: 0n }))),
    });
  }

  blockBefore(): Promise<number | undefined> {
    return Promise.resolve(undefined);
  }

  /** Reports the same state for all endpoints. */
  stateReports(): Promise<readonly StateReport[]> {
    const { state: core } = this;
    const of = { kind: "read", l1BlockHash: BLOCK.hash, updates: [], named: [], core } as const;
    return Promise.resolve(
      ["http://a", "http://b"].slice(0, this.endpoints).map((endpoint) => ({ endpoint, ...of })),
    );
  }
}
