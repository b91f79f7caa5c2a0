import type { L1BlockId, StateUpdateLog } from "#io/l1/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";

/** Hash and root of a block of the test's chain. */
export function headerOf(blockNumber: number): {
  readonly hash: bigint;
  readonly stateRoot: bigint;
} {
  return { hash: 0x1000n + BigInt(blockNumber), stateRoot: 0x2000n + BigInt(blockNumber) };
}

/**
 * Chain in memory for comparison with L1: a block's hash and root follow from its number, except
 * where a test changes them.
 */
export class FakeChain implements Pick<
  L1ChainPort,
  "latestNumber" | "oldestBlock" | "header" | "l1AcceptedNumber"
> {
  latest: number | undefined;
  oldest = 0;
  accepted: number | undefined;
  /** Number of calls of {@link settle} that fail. */
  refusals = 0;
  readonly settled: number[] = [];
  readonly changed = new Map<number, { readonly hash: bigint; readonly stateRoot: bigint }>();

  constructor(latest: number | undefined) {
    this.latest = latest;
  }

  oldestBlock(): number {
    return this.oldest;
  }

  latestNumber(): number | undefined {
    return this.latest;
  }

  header(blockNumber: number): { readonly hash: bigint; readonly stateRoot: bigint } | undefined {
    if (blockNumber < 0 || blockNumber > (this.latest ?? -1)) return undefined;
    return this.changed.get(blockNumber) ?? headerOf(blockNumber);
  }

  l1AcceptedNumber(): number | undefined {
    return this.accepted;
  }

  readonly settle = async (blockNumber: number): Promise<boolean> => {
    await Promise.resolve();
    if (this.refusals > 0) {
      this.refusals--;
      return false;
    }
    this.settled.push(blockNumber);
    this.accepted = Math.max(this.accepted ?? -1, blockNumber);
    return true;
  };
}

/** A state update for a block of the test's chain. */
export function updateOf(
  blockNumber: number,
  l1Block: L1BlockId = L1_BLOCK,
  transactionHash = 0xabcn,
): StateUpdateLog {
  const { hash, stateRoot } = headerOf(blockNumber);
  return {
    kind: "state_update",
    blockNumber: BigInt(blockNumber),
    blockHash: hash,
    stateRoot,
    l1Block,
    logIndex: 0,
    transactionHash,
  };
}

/** An arbitrary L1 block. */
export const L1_BLOCK: L1BlockId = { number: 7, hash: 0x77n };

/** The successor of {@link L1_BLOCK}. */
export const L1_NEXT: L1BlockId = { number: 8, hash: 0x88n };
