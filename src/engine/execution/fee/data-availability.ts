import type { GasVector } from "#protocol/versions/index.ts";
import type { L1DaMode } from "#protocol/chain/index.ts";
import { daWords, type StateChangesCount } from "./state-changes.ts";

/** L1 data gas of one word in a blob: 2^17 gas for 2^12 words. */
const DATA_GAS_PER_WORD = 32;

/** L1 gas of one word as calldata, including the prover's part, minus ten percent. */
const L1_GAS_PER_DA_WORD = 551;

/** Discount for a contract's second word, which has at most 6 non-zero bytes: 512 - (6*16 + 26*4). */
const CONTRACT_WORD_DISCOUNT = 312;

/** Discount for the fee balance, which has at most 12 non-zero bytes: 512 - (12*16 + 20*4). */
const FEE_BALANCE_DISCOUNT = 240;

/** Gas for publishing state changes on L1. */
export function daGas(
  changes: Omit<StateChangesCount, "allocatedKeys">,
  mode: L1DaMode,
): GasVector {
  const words = daWords(changes);
  if (mode === "BLOB") {
    return { l1Gas: 0n, l1DataGas: BigInt(words * DATA_GAS_PER_WORD), l2Gas: 0n };
  }
  const discount = changes.modifiedContracts * CONTRACT_WORD_DISCOUNT + FEE_BALANCE_DISCOUNT;
  const gas = Math.max(words * L1_GAS_PER_DA_WORD - discount, 0);
  return { l1Gas: BigInt(gas), l1DataGas: 0n, l2Gas: 0n };
}
