import type { BlockInfo } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PendingBlock, StateReader } from "#engine/state/index.ts";
import type { ChainContext } from "./context.ts";
import { fail } from "./errors.ts";

/** Block identifier of a request. `pre_confirmed` is the block being built. */
export type BlockId =
  | { readonly kind: "hash"; readonly hash: Felt }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "latest" }
  | { readonly kind: "l1_accepted" }
  | { readonly kind: "pre_confirmed" };

/**
 * Block id, resolved once per request: everything that the request reads comes from this one block.
 *
 * Blocks may be built faster than they are accepted, so several may follow the accepted ones. `view` is the
 * block after `latest`, whose parent is accepted: block queries use it, so that a client that follows
 * `latest` misses no block. `newest` is the last of them: state queries use it, so that they see the effect
 * of every received transaction.
 */
export type ResolvedBlock =
  | { readonly kind: "accepted"; readonly number: number }
  | { readonly kind: "pending"; readonly view: PendingBlock; readonly newest: PendingBlock };

/**
 * Resolves `id` to the block that it means at this moment.
 *
 * @returns `undefined` if there is no such block
 */
export function resolveBlock(context: ChainContext, id: BlockId): ResolvedBlock | undefined {
  const { chain } = context;
  switch (id.kind) {
    case "pre_confirmed": {
      const newest = context.pending();
      if (newest === undefined) return undefined;
      const [view = newest] = context.unaccepted();
      return { kind: "pending", view, newest };
    }
    case "hash":
      return accepted(chain.numberByHash(id.hash));
    case "number": {
      const latest = chain.latestNumber();
      const isThere =
        latest !== undefined && id.number <= latest && id.number >= chain.oldestBlock();
      return accepted(isThere ? id.number : undefined);
    }
    case "latest":
      return accepted(chain.latestNumber());
    case "l1_accepted": {
      const settled = chain.l1AcceptedNumber() ?? context.fork?.l1AcceptedNumber();
      const latest = chain.latestNumber();
      // L1 may be ahead of a node that is synchronizing.
      return accepted(
        settled === undefined || latest === undefined ? undefined : Math.min(settled, latest),
      );
    }
  }
}

/**
 * Returns why the block of an id does not exist: the chain has no accepted block yet, or was created from a
 * snapshot and the block may be older than it. `undefined` if neither applies.
 */
export function reasonOfAbsence(context: ChainContext, id: BlockId): string | undefined {
  const { chain } = context;
  if (id.kind === "latest" && chain.latestNumber() === undefined) {
    return context.pending() === undefined ? undefined : NOTHING_ACCEPTED;
  }
  const oldest = chain.oldestBlock();
  const mayBeOlder = id.kind === "hash" || (id.kind === "number" && id.number < oldest);
  return oldest > 0 && mayBeOlder ? notBefore(oldest) : undefined;
}

/** For a chain whose first block is still open. */
const NOTHING_ACCEPTED =
  "the chain has no accepted block yet: block 0 is open, and is accepted when the chain's block_time is over (with no_empty_blocks: after its first transaction); use pre_confirmed until then";

/** Message for blocks before the first one of a chain from a snapshot. */
export function notBefore(oldest: number): string {
  return `this chain was made from a snapshot: its oldest block is ${oldest}`;
}

/**
 * Returns the state after the block; for a pending one, after the newest block above the accepted chain.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state of that block is no longer kept
 */
export function stateOf(context: ChainContext, block: ResolvedBlock): StateReader {
  return block.kind === "pending" ? block.newest.state : stateAfter(context, block.number);
}

/**
 * Returns the state after an accepted block; -1 is the state before block 0.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state of that block is no longer kept
 */
export function stateAfter({ chain }: ChainContext, number: number): StateReader {
  requireState(chain, number);
  return chain.stateAt(number);
}

/**
 * Requires that the state after an accepted block is still kept. Pruning may overtake a request that has
 * passed this check: its reads then throw STORAGE_PRUNED, which `toRpcError` maps to the same error. The
 * newest block always passes the check; if blocks above it are stored already and its state is pruned, the
 * response is the same.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when it is not
 */
export function requireState(chain: ChainContext["chain"], number: number): void {
  if (number < 0 || number === chain.latestNumber()) return;
  const oldest = chain.oldestStateBlock();
  if (number >= oldest) return;
  fail(
    "BLOCK_NOT_FOUND",
    `the state of block ${number} is not kept any more; the oldest block with state is ${oldest}`,
  );
}

/**
 * Returns number, time, prices, sequencer address and protocol version of a block; for a pending one, of the
 * newest block above the accepted chain. `undefined` if the block was reverted meanwhile.
 */
export function infoOf(context: ChainContext, block: ResolvedBlock): BlockInfo | undefined {
  return block.kind === "pending" ? block.newest.info : context.chain.header(block.number);
}

function accepted(number: number | undefined): ResolvedBlock | undefined {
  return number === undefined ? undefined : { kind: "accepted", number };
}
