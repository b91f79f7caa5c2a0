import fc from "fast-check";
import { encodedTransactions, receipts as receiptsArbitrary, stateDiffs } from "./arbitraries.ts";
import { createFakeChain, type FakeBlock, fakeBlock, fakePending } from "./fake-chain.ts";
import { sampleContext } from "./sample-chain.ts";
import type { FullContext } from "./serving.ts";

/**
 * fast-check arbitrary of a block's contents; equal contents have equal hashes, as block hashes
 * commit to all of them.
 */
export const contents = fc.record({
  entries: fc.array(fc.tuple(encodedTransactions, receiptsArbitrary), { maxLength: 3 }),
  stateDiff: stateDiffs,
  hash: fc.bigInt({ min: 1n, max: 2n ** 250n }),
});

/** Contents of a block of a {@link ChangingChain}. */
export type Contents = typeof contents extends fc.Arbitrary<infer T> ? T : never;

function blockOf({ entries, stateDiff, hash }: Contents, below: FakeBlock | undefined): FakeBlock {
  return fakeBlock({
    header: {
      number: below === undefined ? 0 : below.header.number + 1,
      hash,
      parentHash: below?.header.hash ?? 0n,
    },
    transactions: entries.map(([transaction]) => transaction),
    receipts: entries.map(([{ hash: transactionHash }, receipt]) => ({
      ...receipt,
      transactionHash,
    })),
    stateDiff,
  });
}

/** A chain that changes while it is read. */
export class ChangingChain {
  /** Blocks, lowest first. */
  readonly blocks: FakeBlock[] = [fakeBlock({ header: { number: 0 } })];
  /** Number of the newest block that is accepted on L1. */
  l1Accepted: number | undefined;

  /** Context with a snapshot of the chain. */
  get context(): FullContext {
    const { l1Accepted } = this;
    const chain = createFakeChain(this.blocks, l1Accepted === undefined ? {} : { l1Accepted });
    return sampleContext({ chainId: 1n, chain, pending: () => fakePending(chain, {}) });
  }

  /** Context that always reads the current chain. */
  get live(): FullContext {
    const contextNow = () => this.context;
    return {
      ...sampleContext({ chainId: 1n, pending: () => contextNow().pending() }),
      get chain() {
        return contextNow().chain;
      },
    };
  }

  /** Adds a block. */
  grow(what: Contents): void {
    this.blocks.push(blockOf(what, this.blocks.at(-1)));
  }
}
