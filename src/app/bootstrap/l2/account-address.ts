import type { Felt } from "#base/primitives/index.ts";
import { contractAddress } from "#protocol/chain/index.ts";
import { CLASSES } from "./classes.ts";

/** Salt of the account: the address is that of its key alone. */
export const ACCOUNT_SALT = 0n;

/** Address of the account of a key, which deploys itself. */
export function accountAddress(publicKey: Felt): Felt {
  return contractAddress(0n, ACCOUNT_SALT, CLASSES.account.classHash, [publicKey]);
}
