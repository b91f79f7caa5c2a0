import { pedersenArray, pedersenArrayBatch } from "#protocol/crypto/index.ts";
import { ADDRESS_BOUND, type Felt, feltFromShortString } from "#base/primitives/index.ts";

const PREFIX = feltFromShortString("STARKNET_CONTRACT_ADDRESS");

/**
 * Computes the address of a new contract.
 *
 * Source: Starknet docs, "Contract address".
 *
 * @param deployer - 0 for accounts that deploy themselves and for `deploy_from_zero`
 * @param pause - called about every ten milliseconds; may throw to abort
 */
export function contractAddress(
  deployer: Felt,
  salt: Felt,
  classHash: Felt,
  constructorCalldata: readonly Felt[],
  pause?: () => void,
): Felt {
  const calldataHash = pedersenArray(constructorCalldata, pause);
  return pedersenArray([PREFIX, deployer, salt, classHash, calldataHash]) % ADDRESS_BOUND;
}

/** Inputs of one contract address in a batch. */
export interface DeploymentSeed {
  readonly salt: Felt;
  readonly constructorCalldata: readonly Felt[];
}

/**
 * Computes {@link contractAddress} for many contracts of one class and deployer, whose calldata have equal
 * length.
 *
 * @throws {InvariantError} when the lengths differ
 */
export function contractAddressBatch(
  deployer: Felt,
  classHash: Felt,
  seeds: readonly DeploymentSeed[],
): Felt[] {
  const calldataHashes = pedersenArrayBatch(seeds.map((seed) => seed.constructorCalldata));
  const hashes = pedersenArrayBatch(
    seeds.map(({ salt }, i) => [PREFIX, deployer, salt, classHash, calldataHashes[i] ?? 0n]),
  );
  return hashes.map((hash) => hash % ADDRESS_BOUND);
}
