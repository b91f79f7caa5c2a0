import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { hexFromFelt, type Felt } from "#base/primitives/index.ts";
import type { ChainContext, ServerContext } from "../context.ts";
import { type DeclareMethod, methodsWith } from "../method.ts";
import type { BalanceUnit, DevnetAccess, MadeBlock } from "./access.ts";

/** What methods for developers work with: all that others do, for they send dumps to them. */
export type DevnetContext = ServerContext & { readonly devnet: DevnetAccess };

/** Declares a method that only development chains have. */
export const devnetMethod: DeclareMethod<DevnetContext> = methodsWith<DevnetContext>();

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
export function genesisState(context: ChainContext): StateReader {
  const { chain } = context;
  return chain.oldestStateBlock() === 0 ? chain.stateAt(0) : newestState(context);
}

/** The state after everything that was executed. */
export function newestState(context: ChainContext): StateReader {
  const { chain } = context;
  return context.pending()?.state ?? chain.stateAt(chain.latestNumber() ?? -1);
}

/** Timestamp of the newest block: time does not go back behind it. */
export function newestTimestamp(context: ChainContext): number {
  const { chain } = context;
  const newest = context.unaccepted().at(-1)?.info ?? chain.header(chain.latestNumber() ?? -1);
  return newest?.timestamp ?? 0;
}

/** Number of the newest block, the one that is being built if there is one. */
export function newestNumber(context: ChainContext): number {
  const { chain } = context;
  const newest = context.unaccepted().at(-1)?.info.number ?? 0;
  return Math.max(newest, chain.latestNumber() ?? 0);
}

/** CREATED_BLOCK. */
export function encodeBlock({ hash }: MadeBlock): { readonly block_hash: string } {
  return { block_hash: hexFromFelt(hash) };
}
