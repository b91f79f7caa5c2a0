import type { Felt } from "#base/primitives/index.ts";
import type { HashedTransaction } from "#protocol/chain/index.ts";
import { notBefore } from "../../block-id.ts";
import { type DevnetContext, genesisNumber } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";

/** Block above the genesis, as a dump needs it. */
export interface DumpedBlock {
  readonly number: number;
  readonly timestamp: number;
  /** Hashes of its transactions, in order. */
  readonly hashes: readonly Felt[];
  /** No more transactions are added to it. */
  readonly isSealed: boolean;
  transactionAt(index: number): HashedTransaction | undefined;
}

/** Number of blocks read before other work of the thread gets a turn. */
const BLOCKS_PER_TURN = 100;

/**
 * Returns the chain's current blocks above its genesis, accepted or not.
 *
 * @throws {DevnetFault} when the chain is reverted during the iteration, or was created from a snapshot
 */
export async function* dumpedBlocks(context: DevnetContext): AsyncGenerator<DumpedBlock> {
  const { chain, devnet } = context;
  const first = genesisNumber(devnet) + 1;
  const oldest = chain.oldestBlock();
  if (oldest > 0) throw new DevnetFault(`${notBefore(oldest)}, and a dump begins with block 1`);
  const latest = chain.latestNumber() ?? 0;
  // Copied, because the block being built grows during the iteration.
  const above = context
    .unaccepted()
    .filter(({ info }) => info.number > latest)
    .map(({ info, transactions }) => ({ info, transactions: [...transactions] }));
  for (let number = first; number <= latest; number++) {
    if (number % BLOCKS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const header = chain.header(number);
    if (header === undefined) throw new DevnetFault("the chain was reverted meanwhile");
    yield {
      number,
      timestamp: header.timestamp,
      hashes: chain.transactionHashes(number),
      isSealed: true,
      transactionAt: (index) => chain.transactionAt({ blockNumber: number, index }),
    };
  }
  for (const [i, { info, transactions }] of above.entries()) {
    yield {
      number: info.number,
      timestamp: info.timestamp,
      hashes: transactions.map(({ hash }) => hash),
      isSealed: i < above.length - 1,
      transactionAt: (index) => transactions[index],
    };
  }
}
