import { isJsonObject } from "#base/codec/index.ts";
import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import type { HashedTransaction, L1Handler, Receipt } from "#protocol/chain/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { refusalOf } from "./refusal.ts";

/**
 * Checks that receipts as they came stand in the order of the transactions, and say so. What is not in
 * its form is passed over: reading refuses it.
 */
export function checkReceiptPlaces(blockNumber: number, block: unknown): SyncRefusal | undefined {
  if (!isJsonObject(block)) return undefined;
  const { transactions, transaction_receipts: receipts } = block;
  if (!Array.isArray(transactions) || !Array.isArray(receipts)) return undefined;
  const refused = (field: string, expected: Felt | number, found: Felt | number) =>
    refusalOf(blockNumber, { check: "receipt", field, expected, found });
  if (transactions.length !== receipts.length) {
    return refused("number of receipts", transactions.length, receipts.length);
  }
  for (let i = 0; i < receipts.length; i++) {
    const receipt: unknown = receipts[i];
    const transaction: unknown = transactions[i];
    if (!isJsonObject(receipt) || !isJsonObject(transaction)) return undefined;
    const expected = feltOf(transaction["transaction_hash"]);
    const found = feltOf(receipt["transaction_hash"]);
    if (expected === undefined || found === undefined) return undefined;
    if (expected !== found) return refused(`transaction_hash of receipt ${i}`, expected, found);
    const index = receipt["transaction_index"];
    if (typeof index === "number" && index !== i) {
      return refused(`transaction_index of receipt ${i}`, i, index);
    }
  }
  return undefined;
}

/**
 * Checks that receipts of a bundle name the transactions that they are of, and the unit in which those pay:
 * old block hashes cover neither.
 */
export function checkReceiptNames(
  blockNumber: number,
  transactions: readonly HashedTransaction[],
  receipts: readonly Receipt[],
): SyncRefusal | undefined {
  for (const [i, { hash, transaction }] of transactions.entries()) {
    const receipt = receipts[i];
    if (receipt?.transactionHash !== hash) {
      const field = `transaction_hash of receipt ${i}`;
      const found = receipt?.transactionHash;
      return refusalOf(blockNumber, { check: "receipt", field, expected: hash, found });
    }
    const expected = transaction.version === 3 ? "FRI" : "WEI";
    const { feeUnit: found } = receipt;
    if (found === expected) continue;
    const field = `unit of the fee of receipt ${i}`;
    return refusalOf(blockNumber, { check: "receipt", field, expected, found });
  }
  return undefined;
}

/**
 * Checks that receipts say of messages from L1 what the transactions say that consumed them: it is in no
 * hash, and stored nowhere.
 *
 * @param receipts - as they came, in their form
 */
export function checkConsumedMessages(
  blockNumber: number,
  transactions: readonly HashedTransaction[],
  receipts: readonly unknown[],
): SyncRefusal | undefined {
  for (const [i, { transaction }] of transactions.entries()) {
    const receipt = receipts[i];
    const told = isJsonObject(receipt) ? receipt["l1_to_l2_consumed_message"] : undefined;
    if (!isJsonObject(told)) continue;
    const field = `l1_to_l2_consumed_message of receipt ${i}`;
    if (transaction.type !== "L1_HANDLER") {
      const found = "a message";
      return refusalOf(blockNumber, { check: "receipt", field, expected: "nothing", found });
    }
    const difference = differenceOf(transaction, told);
    if (difference === undefined) continue;
    const [name, expected, found] = difference;
    const place = `${name} of ${field}`;
    return refusalOf(blockNumber, { check: "receipt", field: place, expected, found });
  }
  return undefined;
}

type Value = Felt | number | undefined;

function differenceOf(
  handler: L1Handler,
  told: Readonly<Record<string, unknown>>,
): readonly [name: string, expected: Felt | number, found: Value] | undefined {
  const [sender = 0n, ...payload] = handler.calldata;
  const values: readonly unknown[] = Array.isArray(told["payload"]) ? told["payload"] : [];
  const { nonce } = told;
  const pairs: readonly (readonly [string, Felt | number, Value])[] = [
    ["from_address", sender, feltOf(told["from_address"])],
    ["to_address", handler.contractAddress, feltOf(told["to_address"])],
    ["selector", handler.entryPointSelector, feltOf(told["selector"])],
    // The first messages were not numbered.
    ["nonce", handler.nonce, nonce === undefined ? 0n : feltOf(nonce)],
    ["payload length", payload.length, values.length],
    ...payload.map((value, at) => [`payload[${at}]`, value, feltOf(values[at])] as const),
  ];
  return pairs.find(([, expected, found]) => expected !== found);
}

/** The felt of a text: `0x` hex, or decimal as some gateways write it. */
function feltOf(value: unknown): Felt | undefined {
  if (typeof value !== "string") return undefined;
  return /^\d{1,76}$/u.test(value) ? BigInt(value) : feltFromHex(value);
}
