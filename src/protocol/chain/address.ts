import { pedersenArray, pedersenArrayBatch } from "#protocol/crypto/index.ts";
import { ADDRESS_BOUND, type Felt, feltFromShortString } from "#base/primitives/index.ts";

const PREFIX = feltFromShortString("STARKNET_CONTRACT_ADDRESS");

/**
 * Address that a new contract gets.
 *
 * Source: Starknet docs, "Contract address".
 *
 * @param deployer - 0 for accounts that deploy themselves and for `deploy_from_zero`
 * @param pause - called every ten milliseconds or so; may throw to end the work
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

/** What makes the address of one contract of a batch. */
export interface DeploymentSeed {
  readonly salt: Felt;
  readonly constructorCalldata: readonly Felt[];
}

/**
 * {@link contractAddress} of many contracts of one class and deployer, whose calldata has one length.
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
