import { contractAddressBatch } from "#protocol/chain/index.ts";
import { poseidonMany, publicKey, storageVariableKey } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";

/** An account of a development chain with its key: known to everyone who knows the seed. */
export interface DevAccount {
  readonly address: Felt;
  readonly privateKey: Felt;
  readonly publicKey: Felt;
}

const KEY_DOMAIN = feltFromShortString("appchain dev account");

/** Keys stay below this bound, which is below the order of the curve's group. */
const KEY_BITS = 250;

/**
 * The funded accounts of a seed: the same seed always gives the same accounts, and more of them
 * start with the same ones.
 *
 * The private key is a Poseidon hash of a domain, the seed and the index; the address is that of a
 * deploy-account transaction with the public key as salt and only argument.
 *
 * @param classHash - class of the account contract
 */
export function devAccounts(seed: bigint, count: number, classHash: Felt): DevAccount[] {
  const keys = Array.from({ length: count }, (_, index) => {
    const hash = poseidonMany([KEY_DOMAIN, seed, BigInt(index)]);
    const privateKey = BigInt.asUintN(KEY_BITS, hash) || 1n;
    return { privateKey, publicKey: publicKey(privateKey) };
  });
  const addresses = contractAddressBatch(
    0n,
    classHash,
    keys.map((key) => ({ salt: key.publicKey, constructorCalldata: [key.publicKey] })),
  );
  return keys.map((key, i) => ({ ...key, address: addresses[i] ?? 0n }));
}

/** Storage of a deployed account with this key, as its constructor leaves it. */
export function accountStorage(key: Felt): ReadonlyMap<Felt, Felt> {
  return new Map([[storageVariableKey("Account_public_key"), key]]);
}
