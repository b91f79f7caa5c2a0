import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { hexFromFelt, type Felt } from "#base/primitives/index.ts";
import type { RpcContext } from "../context.ts";
import { NotServedError } from "../errors.ts";
import type { BalanceUnit, DevnetAccess, MadeBlock } from "./access.ts";

/** What the methods for developers do here. */
export function devnetOf({ devnet }: RpcContext): DevnetAccess {
  if (devnet === undefined) throw new NotServedError("this node is not for development");
  return devnet;
}

/** How starknet-devnet answers what has no answer. */
export const NOTHING = (): JsonObject => ({});

/** What an account holds of the token of a unit. */
export function balanceIn(
  { tokens }: DevnetAccess,
  state: StateReader,
  address: Felt,
  unit: BalanceUnit,
): bigint {
  const token = tokens[unit];
  const low = state.storageAt(token, balanceKey(address));
  return low + (state.storageAt(token, balanceHighKey(address)) << 128n);
}

/**
 * The state after the genesis block. Where it is not kept any more that of now stands for it, which is
 * never pruned while it is read.
 */
export function genesisState(context: RpcContext): StateReader {
  const { chain } = context;
  return chain.oldestStateBlock() === 0 ? chain.stateAt(0) : newestState(context);
}

/** The state after everything that was executed. */
export function newestState(context: RpcContext): StateReader {
  const { chain } = context;
  return context.pending()?.state ?? chain.stateAt(chain.latestNumber() ?? -1);
}

/** Timestamp of the newest block: time does not go back behind it. */
export function newestTimestamp({ chain, unaccepted }: RpcContext): number {
  const newest = unaccepted?.().at(-1)?.info ?? chain.header(chain.latestNumber() ?? -1);
  return newest?.timestamp ?? 0;
}

/** Number of the newest block, the one that is being built if there is one. */
export function newestNumber({ chain, unaccepted }: RpcContext): number {
  const newest = unaccepted?.().at(-1)?.info.number ?? 0;
  return Math.max(newest, chain.latestNumber() ?? 0);
}

/** CREATED_BLOCK. */
export function encodeBlock({ hash }: MadeBlock): { readonly block_hash: string } {
  return { block_hash: hexFromFelt(hash) };
}
