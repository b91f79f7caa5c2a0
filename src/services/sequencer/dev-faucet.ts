import { contractAddress, type MutableStateDiff } from "#protocol/chain/index.ts";
import { poseidonMany, publicKey } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { accountStorage, type DevAccount } from "./dev-accounts.ts";
import { writeDefault } from "./genesis-balances.ts";

/** Account of a development chain that may mint; its key is the same on every chain. */
export type Faucet = DevAccount;

/**
 * Genesis balance of the faucet in the native fee token, in fri: it pays the fees of its mint transactions.
 */
export const FAUCET_BALANCE: bigint = 10n ** 30n;

const KEY_DOMAIN = feltFromShortString("appchain dev faucet");

/** Bit length of private keys; keeps them below the order of the curve's group. */
const KEY_BITS = 250;

/**
 * Returns the faucet of chains with the given account class. Its key is public: for development only. The
 * private key is a Poseidon hash; the address is that of a deploy-account transaction with the public key as
 * salt and only argument.
 *
 * @param classHash - class of the account contract
 */
export function devFaucet(classHash: Felt): Faucet {
  const privateKey = BigInt.asUintN(KEY_BITS, poseidonMany([KEY_DOMAIN])) || 1n;
  const key = publicKey(privateKey);
  const address = contractAddress(0n, key, classHash, [key]);
  return { address, privateKey, publicKey: key };
}

/** Token that the faucet may mint. */
export interface FaucetToken {
  readonly address: Felt;
  /** Storage keys that may hold the minter's address. */
  readonly minterKeys: readonly Felt[];
}

/**
 * Adds the faucet to a genesis: its account, and the right to mint the tokens that have no minter.
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
