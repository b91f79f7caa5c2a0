import { storageVariableKey } from "#protocol/crypto/index.ts";
import { ADDRESS_BOUND, type Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { TransactionContext } from "../transaction/context.ts";

/** Storage key of the low half of an account's balance in a fee token. */
export function balanceKey(address: Felt): Felt {
  let key = balanceKeys.get(address);
  if (key === undefined) {
    key = storageVariableKey("ERC20_balances", address);
    // Keys are derived by hashing; a bounded cache is enough for the accounts of a block.
    if (balanceKeys.size > 100_000) balanceKeys.clear();
    balanceKeys.set(address, key);
  }
  return key;
}

const balanceKeys = new Map<Felt, Felt>();

/** Storage key of the balance's high half: the key after {@link balanceKey}. */
export function balanceHighKey(address: Felt): Felt {
  return (balanceKey(address) + 1n) % ADDRESS_BOUND;
}

/** Balance of an account in the fee token, as the token stores it. */
export interface Balance {
  readonly low: Felt;
  readonly high: Felt;
}

/** Reads the sender's balance from the token's storage. */
export function senderBalance(state: StateReader, context: TransactionContext): Balance {
  const { feeToken, senderAddress } = context;
  return {
    low: state.storageAt(feeToken, balanceKey(senderAddress)),
    high: state.storageAt(feeToken, balanceHighKey(senderAddress)),
  };
}

/** Whether a balance is enough for a fee. */
export function covers(balance: Balance, fee: bigint): boolean {
  return balance.high > 0n || balance.low >= fee;
}
