import { contractAddress, type MutableStateDiff } from "#protocol/chain/index.ts";
import { poseidonMany, publicKey } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { accountStorage, type DevAccount } from "./dev-accounts.ts";
import { writeDefault } from "./genesis-balances.ts";

/** The account of a development chain that may mint; its key is the same on every chain. */
export type Faucet = DevAccount;

/** What the genesis gives the faucet of the native fee token, in fri: it pays for what it mints. */
export const FAUCET_BALANCE: bigint = 10n ** 30n;

const KEY_DOMAIN = feltFromShortString("appchain dev faucet");

/** Keys stay below this bound, which is below the order of the curve's group. */
const KEY_BITS = 250;

/**
 * The faucet of chains whose accounts are of a class: known to everyone, for development only. Its
 * private key is a Poseidon hash, its address that of a deploy-account transaction with the public
 * key as salt and only argument.
 *
 * @param classHash - class of the account contract
 */
export function devFaucet(classHash: Felt): Faucet {
  const privateKey = BigInt.asUintN(KEY_BITS, poseidonMany([KEY_DOMAIN])) || 1n;
  const key = publicKey(privateKey);
  const address = contractAddress(0n, key, classHash, [key]);
  return { address, privateKey, publicKey: key };
}

/** A token that the faucet may mint. */
export interface FaucetToken {
  readonly address: Felt;
  /** Storage keys that may hold the address that mints. */
  readonly minterKeys: readonly Felt[];
}

/**
 * Puts the faucet into a genesis: the account, and the right to mint the tokens that have no minter.
 *
 * @param tokens - contracts of the genesis
 */
export function placeFaucet(
  diff: MutableStateDiff,
  classHash: Felt,
  tokens: readonly FaucetToken[],
): Faucet {
  const faucet = devFaucet(classHash);
  diff.deployedContracts.set(faucet.address, classHash);
  diff.storageDiffs.set(faucet.address, new Map(accountStorage(faucet.publicKey, true)));
  for (const { address, minterKeys } of tokens) {
    for (const key of minterKeys) writeDefault(diff, address, key, faucet.address);
  }
  return faucet;
}
