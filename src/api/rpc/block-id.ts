import type { BlockInfo } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PendingBlock, StateReader } from "#engine/state/index.ts";
import type { ChainContext } from "./context.ts";
import { fail } from "./errors.ts";

/** Which block a request means. `pre_confirmed` is the block being built. */
export type BlockId =
  | { readonly kind: "hash"; readonly hash: Felt }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "latest" }
  | { readonly kind: "l1_accepted" }
  | { readonly kind: "pre_confirmed" };

/**
 * A block id, resolved once per request: everything the request reads comes from this one block.
 *
 * Blocks are built faster than they are accepted, so that several may stand above the accepted ones.
 * `view` is the one after `latest`, whose parent is accepted: questions about a block mean that one,
 * and so no block is passed over by who follows `latest`. `newest` is the last of them: questions
 * about the state mean what every received transaction has left.
 */
export type ResolvedBlock =
  | { readonly kind: "accepted"; readonly number: number }
  | { readonly kind: "pending"; readonly view: PendingBlock; readonly newest: PendingBlock };

/**
 * The block that `id` stands for at this moment.
 *
 * @returns `undefined` when there is none
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
      const settled = chain.l1AcceptedNumber();
      const latest = chain.latestNumber();
      // L1 may be ahead of a node that synchronizes.
      return accepted(
        settled === undefined || latest === undefined ? undefined : Math.min(settled, latest),
      );
    }
  }
}

/**
 * Why there is no block that an id names: the chain has none yet, or was made from a snapshot and the block
 * may be one of those before. `undefined`: it is none of these.
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

/** Of a chain whose first block is open. */
const NOTHING_ACCEPTED =
  "the chain has no accepted block yet: block 0 is open, and is accepted when the chain's block_time is over (with no_empty_blocks: after its first transaction); ask for pre_confirmed until then";

/** What is said of blocks before the first one of a chain from a snapshot. */
export function notBefore(oldest: number): string {
  return `this chain was made from a snapshot: its oldest block is ${oldest}`;
}

/**
 * State after the block, or after the newest one above the accepted chain.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state of that block is no longer kept
 */
export function stateOf(context: ChainContext, block: ResolvedBlock): StateReader {
  return block.kind === "pending" ? block.newest.state : stateAfter(context, block.number);
}

/**
 * State after an accepted block; -1 is the state before block 0.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state of that block is no longer kept
 */
export function stateAfter({ chain }: ChainContext, number: number): StateReader {
  requireState(chain, number);
  return chain.stateAt(number);
}

/**
 * Ends a request that needs the state after an accepted block which is no longer kept. Pruning may
 * overtake a request that has passed this: what it reads then throws STORAGE_PRUNED, which
 * `toRpcError` answers alike. That of the newest block is always looked for: where blocks above it are
 * stored already, and it is pruned, the same is answered.
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
 * What was decided about the block of {@link stateOf} before its transactions; `undefined` when it
 * was reverted.
 */
export function infoOf(context: ChainContext, block: ResolvedBlock): BlockInfo | undefined {
  return block.kind === "pending" ? block.newest.info : context.chain.header(block.number);
}

function accepted(number: number | undefined): ResolvedBlock | undefined {
  return number === undefined ? undefined : { kind: "accepted", number };
}
