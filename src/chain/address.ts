import { pedersenArray } from "#crypto/index.ts";
import { ADDRESS_BOUND, type Felt, feltFromShortString } from "#primitives/index.ts";

const PREFIX = feltFromShortString("STARKNET_CONTRACT_ADDRESS");

/**
 * Address that a new contract gets.
 *
 * Source: Starknet docs, "Contract address".
 *
 * @param deployer - 0 for accounts that deploy themselves and for `deploy_from_zero`
 */
export function contractAddress(
  deployer: Felt,
  salt: Felt,
  classHash: Felt,
  constructorCalldata: readonly Felt[],
): Felt {
  const calldataHash = pedersenArray(constructorCalldata);
  return pedersenArray([PREFIX, deployer, salt, classHash, calldataHash]) % ADDRESS_BOUND;
}
