import type { Felt } from "#base/primitives/index.ts";
import { contractAddress } from "#protocol/chain/index.ts";
import { CLASSES } from "./classes.ts";

/**
 * Salt of the account that the bootstrap deploys on L2: with 0, its address depends only on its
 * key.
 */
export const ACCOUNT_SALT = 0n;

/** Computes the address of a key's account, which deploys itself. */
export function accountAddress(publicKey: Felt): Felt {
  return contractAddress(0n, ACCOUNT_SALT, CLASSES.account.classHash, [publicKey]);
}
