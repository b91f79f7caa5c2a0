import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { hexFromFelt, type Felt } from "#base/primitives/index.ts";
import type { ChainContext, ServerContext } from "../context.ts";
import { type DeclareMethod, methodsWith } from "../method.ts";
import type { BalanceUnit, DevnetAccess, MadeBlock } from "./access.ts";

/**
 * Context of developer methods. It includes all other contexts, because loading a dump calls their methods.
 */
export type DevnetContext = ServerContext & { readonly devnet: DevnetAccess };

/** Declares a method that only development chains have. */
export const devnetMethod: DeclareMethod<DevnetContext> = methodsWith<DevnetContext>();

/**
 * Returns an empty object: the result of developer methods without a value, as in starknet-devnet.
 */
export const NOTHING = (): JsonObject => ({});

/** Returns an account's balance of the token of a unit. */
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

/** Returns the number of the first local block: 0, or the one after the fork block. */
export function genesisNumber({ fork }: Pick<DevnetAccess, "fork">): number {
  return fork === null ? 0 : fork.blockNumber + 1;
}

/**
 * Returns the state after the genesis block. If it is no longer kept, returns the current state instead,
 * which is never pruned while it is read.
 */
export function genesisState(context: DevnetContext): StateReader {
  const { chain, devnet } = context;
  return chain.oldestStateBlock() === 0
    ? chain.stateAt(genesisNumber(devnet))
    : newestState(context);
}

/** Returns the state after everything that was executed. */
export function newestState(context: ChainContext): StateReader {
  const { chain } = context;
  return context.pending()?.state ?? chain.stateAt(chain.latestNumber() ?? -1);
}

/** Returns the timestamp of the newest block, below which time must not go. */
export function newestTimestamp(context: ChainContext): number {
  const { chain } = context;
  const newest = context.unaccepted().at(-1)?.info ?? chain.header(chain.latestNumber() ?? -1);
  return newest?.timestamp ?? 0;
}

/** Returns the number of the newest block, including the one being built. */
export function newestNumber(context: ChainContext): number {
  const { chain } = context;
  const newest = context.unaccepted().at(-1)?.info.number ?? 0;
  return Math.max(newest, chain.latestNumber() ?? 0);
}

/**
 * Encodes the CREATED_BLOCK result of starknet-devnet: the hash of a block that was created on
 * request.
 */
export function encodeBlock({ hash }: MadeBlock): { readonly block_hash: string } {
  return { block_hash: hexFromFelt(hash) };
}
