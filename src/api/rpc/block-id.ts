import type { BlockInfo } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PendingBlock, StateReader } from "#engine/state/index.ts";
import type { RpcContext } from "./context.ts";

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
export function resolveBlock(context: RpcContext, id: BlockId): ResolvedBlock | undefined {
  const { chain } = context;
  switch (id.kind) {
    case "pre_confirmed": {
      const newest = context.pending();
      if (newest === undefined) return undefined;
      const [view = newest] = context.unaccepted?.() ?? [];
      return { kind: "pending", view, newest };
    }
    case "hash":
      return accepted(chain.numberByHash(id.hash));
    case "number": {
      const latest = chain.latestNumber();
      return accepted(latest !== undefined && id.number <= latest ? id.number : undefined);
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

/** State after the block, or after the newest one above the accepted chain. */
export function stateOf(context: RpcContext, block: ResolvedBlock): StateReader {
  return block.kind === "pending" ? block.newest.state : context.chain.stateAt(block.number);
}

/**
 * What was decided about the block of {@link stateOf} before its transactions; `undefined` when it
 * was unwound.
 */
export function infoOf(context: RpcContext, block: ResolvedBlock): BlockInfo | undefined {
  return block.kind === "pending" ? block.newest.info : context.chain.header(block.number);
}

function accepted(number: number | undefined): ResolvedBlock | undefined {
  return number === undefined ? undefined : { kind: "accepted", number };
}
