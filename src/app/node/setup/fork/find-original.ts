import { ConfigError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import {
  decodeLocation,
  decodeOriginBlock,
  decodeOriginClass,
  type OriginSource,
} from "#io/origin/index.ts";
import { type BlockHeader, decodeStateDiff, type EncodedClass } from "#protocol/chain/index.ts";
import type { OriginalDifference, OriginalTransactions } from "#services/sequencer/index.ts";

/** Block of a transaction at the origin, up to this transaction. */
export interface OriginalBlock extends OriginalTransactions {
  /** Transaction that comes next. */
  readonly transactionHash: Felt;
  readonly header: BlockHeader;
  /** Returns a class that the block declares; `undefined` if the origin does not have it. */
  readonly declared: (classHash: Felt) => Promise<EncodedClass | undefined>;
  /** Reports a transaction with another result than its original. */
  readonly differs: (difference: OriginalDifference) => void;
}

/**
 * Finds the block of a transaction.
 *
 * @param newest - newest block of the origin, for the message
 * @throws {ConfigError} when the transaction is in no accepted block up to the newest one, or in block 0
 * @throws {OriginError} when the origin does not return a value
 */
export async function findOriginal(
  source: OriginSource,
  transactionHash: Felt,
  newest: number,
  log: Logger,
): Promise<OriginalBlock> {
  const named = `--fork-transaction ${hexFromFelt(transactionHash)}`;
  const found = await source.answer({ kind: "locate", transactionHash });
  if (found === null) {
    throw new ConfigError(
      `${named}: the forked network has no such transaction in a block up to its newest one, ${newest}; a received, pre-confirmed or rejected transaction cannot be forked`,
    );
  }
  const { blockNumber: block, index } = decodeLocation(found);
  if (block === 0)
    throw new ConfigError(`${named}: it is in block 0, before which there is no state`);
  const { header, transactions, receipts } = decodeOriginBlock(
    required(await source.answer({ kind: "block", block }), named),
  );
  const diff = required(await source.answer({ kind: "stateDiff", block }), named);
  return {
    transactionHash,
    header,
    transactions: transactions.slice(0, index),
    receipts: receipts.slice(0, index),
    stateDiff: decodeStateDiff(diff),
    async declared(classHash) {
      const bytes = await source.answer({ kind: "class", block, classHash });
      if (bytes === null) return undefined;
      const { contractClass, casmJson } = decodeOriginClass(bytes);
      return { classHash, contractClass, casmJson };
    },
    differs: ({ transactionHash: hash, original, own }) =>
      log.warn("a transaction has another result here than on the forked network", {
        transaction: hexFromFelt(hash),
        original,
        here: own,
      }),
  };
}

function required(bytes: Uint8Array | null, named: string): Uint8Array {
  if (bytes !== null) return bytes;
  throw new ConfigError(`${named}: the forked network does not return its block`);
}
