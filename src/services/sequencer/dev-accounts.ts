import { contractAddressBatch } from "#protocol/chain/index.ts";
import { poseidonMany, publicKey, storageVariableKey } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { DevSeed } from "./dev-seed.ts";
import { devnetPrivateKeys } from "./devnet-keys.ts";

/** Account of a development chain and its key, which is public to anyone who knows the seed. */
export interface DevAccount {
  readonly address: Felt;
  readonly privateKey: Felt;
  readonly publicKey: Felt;
}

const KEY_DOMAIN = feltFromShortString("appchain dev account");

/** Bit length of private keys; keeps them below the order of the curve's group. */
const KEY_BITS = 250;

/**
 * Class hash in starknet-devnet's account addresses, used even for accounts of another class (`account.rs`).
 */
const DEVNET_CLASS_HASH = 0x3fcbf77b28c96f4f2fb5bd2d176ab083a12a5e123adeb0de955d7ee228c9854n;
const DEVNET_SALT = 20n;

/** Id of the account interface (SNIP-6). */
const ACCOUNT_INTERFACE = 0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cdn;

/**
 * Derives the funded accounts of a seed. The same seed always gives the same accounts, and a larger `count`
 * only appends more.
 *
 * The private key is a Poseidon hash of a domain, the seed and the index. The address is that of a
 * deploy-account transaction with the public key as salt and only argument. For a starknet-devnet seed, keys
 * and addresses equal those of starknet-devnet.
 *
 * @param classHash - class of the account contract
 */
export function devAccounts(seed: DevSeed, count: number, classHash: Felt): DevAccount[] {
  const isDevnet = seed.accounts === "starknet-devnet";
  const privateKeys = isDevnet
    ? devnetPrivateKeys(seed.number, count)
    : Array.from({ length: count }, (_, index) => ownKey(seed.number, index));
  const keys = privateKeys.map((privateKey) => ({ privateKey, publicKey: publicKey(privateKey) }));
  const addresses = contractAddressBatch(
    0n,
    isDevnet ? DEVNET_CLASS_HASH : classHash,
    keys.map((key) => ({
      salt: isDevnet ? DEVNET_SALT : key.publicKey,
      constructorCalldata: [key.publicKey],
    })),
  );
  return keys.map((key, i) => ({ ...key, address: addresses[i] ?? 0n }));
}

function ownKey(seed: bigint, index: number): Felt {
  const hash = poseidonMany([KEY_DOMAIN, seed, BigInt(index)]);
  return BigInt.asUintN(KEY_BITS, hash) || 1n;
}

/**
 * Returns the storage of a deployed account with this key, as its constructor leaves it.
 *
 * @param isShipped - whether the account has the class that ships with the program; others also register the
 * account interface, like OpenZeppelin's constructor
 */
export function accountStorage(key: Felt, isShipped: boolean): ReadonlyMap<Felt, Felt> {
  const publicKeyEntry = [storageVariableKey("Account_public_key"), key] as const;
  if (isShipped) return new Map([publicKeyEntry]);
  const registered = storageVariableKey("SRC5_supported_interfaces", ACCOUNT_INTERFACE);
  return new Map([publicKeyEntry, [registered, 1n]]);
}
