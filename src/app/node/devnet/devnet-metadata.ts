import {
  type BalanceUnit,
  type FetchingOrigin,
  type PredeployedAccount,
  repeatWhileMissing,
  THIS_NODE,
} from "#api/rpc/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { DevnetMetadata } from "./devnet-config.ts";

/** Time that a response waits for classes of a fork's origin, in milliseconds. */
const WAIT_MS = 2_000;

/**
 * Returns the accounts and token classes that the chain was created with.
 *
 * @param genesis - state after block 0
 * @param classOf - class of a token; `null` if it is unknown
 */
export function metadataOfChain(
  accounts: readonly PredeployedAccount[],
  accountClass: Felt | null,
  tokens: Readonly<Record<BalanceUnit, Felt>>,
  genesis: Pick<StateReader, "storageAt">,
  classOf: (token: Felt) => Felt | null,
): DevnetMetadata {
  const [first] = accounts;
  const balance = (address: Felt): bigint =>
    genesis.storageAt(tokens.FRI, balanceKey(address)) +
    (genesis.storageAt(tokens.FRI, balanceHighKey(address)) << 128n);
  return {
    accountCount: accounts.length,
    accountClass,
    initialBalance: first === undefined ? 0n : balance(first.address),
    ethClass: classOf(tokens.WEI),
    strkClass: classOf(tokens.FRI),
  };
}

/**
 * Reads values that may be missing on a fork, and waits a short time for its origin.
 *
 * @param fork - `null` on a chain that is no fork
 * @param read - throws `OriginMissing` while values are missing
 * @param readLess - reads what is known without the origin
 */
export async function readOrLess<T>(
  fork: FetchingOrigin | null,
  timer: Pick<Timer, "nowMs">,
  read: () => T,
  readLess: () => T,
): Promise<T> {
  const brief = fork && {
    fetch: fork.fetch,
    callEndsAtMs: () => Math.min(fork.callEndsAtMs(), timer.nowMs() + WAIT_MS),
  };
  try {
    return await repeatWhileMissing(brief, THIS_NODE, read);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    return readLess();
  }
}
