import type { Felt } from "#base/primitives/index.ts";
import { type BlockId, resolveBlock } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import { finalityOf } from "./shared.ts";

/**
 * Returns the cache key of an accepted block and its content: block hashes commit to both, but not to
 * finality.
 *
 * @returns `undefined` if the id does not name an accepted block
 */
export function blockCacheKey(context: ChainContext, id: BlockId): string | undefined {
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted") return undefined;
  const header = context.chain.header(block.number);
  return header === undefined ? undefined : header.hash.toString(16);
}

/**
 * Returns the cache key of a class or contract in the state after an accepted block.
 *
 * @param of - class hash or contract address
 * @returns `undefined` if the id does not name an accepted block whose state is kept
 */
export function stateCacheKey(context: ChainContext, id: BlockId, of: Felt): string | undefined {
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted" || block.number < context.chain.oldestStateBlock()) {
    return undefined;
  }
  const header = context.chain.header(block.number);
  return header === undefined ? undefined : `${header.hash.toString(16)} ${of.toString(16)}`;
}

/** Returns the cache key of {@link blockCacheKey} combined with the block's finality. */
export function blockStatusCacheKey(context: ChainContext, id: BlockId): string | undefined {
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted") return undefined;
  const header = context.chain.header(block.number);
  if (header === undefined) return undefined;
  return `${header.hash.toString(16)} ${finalityOf(context, block.number)}`;
}

/** Returns the cache key of {@link transactionCacheKey} combined with the finality of its block. */
export function transactionStatusCacheKey(context: ChainContext, hash: Felt): string | undefined {
  const location = context.chain.locate(hash);
  const name = transactionCacheKey(context, hash);
  if (location === undefined || name === undefined) return undefined;
  return `${name} ${finalityOf(context, location.blockNumber)}`;
}

/**
 * Returns the cache key of a transaction: its accepted block and its position there.
 *
 * @returns `undefined` if it is in no accepted block
 */
export function transactionCacheKey({ chain }: ChainContext, hash: Felt): string | undefined {
  const location = chain.locate(hash);
  if (location === undefined) return undefined;
  const header = chain.header(location.blockNumber);
  return header === undefined ? undefined : `${header.hash.toString(16)} ${location.index}`;
}
