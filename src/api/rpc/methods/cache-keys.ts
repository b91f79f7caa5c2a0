import type { Felt } from "#base/primitives/index.ts";
import { type BlockId, resolveBlock } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import { finalityOf } from "./shared.ts";

/**
 * Names an accepted block and all that is in it: block hashes commit to that. How final the block
 * is they do not say.
 *
 * @returns `undefined` when the id names no accepted block
 */
export function blockCacheKey(context: ChainContext, id: BlockId): string | undefined {
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted") return undefined;
  const header = context.chain.header(block.number);
  return header === undefined ? undefined : header.hash.toString(16);
}

/**
 * Names what a hash or an address stands for in the state after an accepted block.
 *
 * @returns `undefined` when the id names no accepted block whose state is kept
 */
export function stateCacheKey(context: ChainContext, id: BlockId, of: Felt): string | undefined {
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted" || block.number < context.chain.oldestStateBlock()) {
    return undefined;
  }
  const header = context.chain.header(block.number);
  return header === undefined ? undefined : `${header.hash.toString(16)} ${of.toString(16)}`;
}

/** An accepted block as {@link blockCacheKey} names it, with how final it is. */
export function blockStatusCacheKey(context: ChainContext, id: BlockId): string | undefined {
  const block = resolveBlock(context, id);
  if (block?.kind !== "accepted") return undefined;
  const header = context.chain.header(block.number);
  if (header === undefined) return undefined;
  return `${header.hash.toString(16)} ${finalityOf(context, block.number)}`;
}

/** A transaction as {@link transactionCacheKey} names it, with how final its block is. */
export function transactionStatusCacheKey(context: ChainContext, hash: Felt): string | undefined {
  const location = context.chain.locate(hash);
  const name = transactionCacheKey(context, hash);
  if (location === undefined || name === undefined) return undefined;
  return `${name} ${finalityOf(context, location.blockNumber)}`;
}

/**
 * Names a transaction of an accepted block by that block and its place there.
 *
 * @returns `undefined` when it is in no accepted block
 */
export function transactionCacheKey({ chain }: ChainContext, hash: Felt): string | undefined {
  const location = chain.locate(hash);
  if (location === undefined) return undefined;
  const header = chain.header(location.blockNumber);
  return header === undefined ? undefined : `${header.hash.toString(16)} ${location.index}`;
}
