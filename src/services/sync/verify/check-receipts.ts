import { isJsonObject } from "#base/codec/index.ts";
import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import type { HashedTransaction, L1Handler, Receipt } from "#protocol/chain/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { refusalOf } from "./refusal.ts";

/**
 * Checks that receipts, before decoding, are in the order of the transactions and name them. Malformed data
 * passes, because decoding refuses it.
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

/** Checks transaction hash and fee unit in receipts of a bundle: old block hashes cover neither. */
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
 * Checks that the consumed messages from L1 in receipts match the transactions. This field is covered by no
 * hash and is not stored.
 *
 * @param receipts - undecoded receipts of a block that was decoded successfully
 */
export function checkConsumedMessages(
  blockNumber: number,
  transactions: readonly HashedTransaction[],
  receipts: readonly unknown[],
): SyncRefusal | undefined {
  for (const [i, { transaction }] of transactions.entries()) {
    const receipt = receipts[i];
    const reported = isJsonObject(receipt) ? receipt["l1_to_l2_consumed_message"] : undefined;
    if (!isJsonObject(reported)) continue;
    const field = `l1_to_l2_consumed_message of receipt ${i}`;
    if (transaction.type !== "L1_HANDLER") {
      const found = "a message";
      return refusalOf(blockNumber, { check: "receipt", field, expected: "nothing", found });
    }
    const difference = differenceOf(transaction, reported);
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
  reported: Readonly<Record<string, unknown>>,
): readonly [name: string, expected: Felt | number, found: Value] | undefined {
  const [sender = 0n, ...payload] = handler.calldata;
  const values: readonly unknown[] = Array.isArray(reported["payload"]) ? reported["payload"] : [];
  const { nonce } = reported;
  const pairs: readonly (readonly [string, Felt | number, Value])[] = [
    ["from_address", sender, feltOf(reported["from_address"])],
    ["to_address", handler.contractAddress, feltOf(reported["to_address"])],
    ["selector", handler.entryPointSelector, feltOf(reported["selector"])],
    // The first messages had no nonce.
    ["nonce", handler.nonce, nonce === undefined ? 0n : feltOf(nonce)],
    ["payload length", payload.length, values.length],
    ...payload.map((value, at) => [`payload[${at}]`, value, feltOf(values[at])] as const),
  ];
  return pairs.find(([, expected, found]) => expected !== found);
}

/** Parses a felt from `0x` hex, or from decimal as some gateways write it. */
function feltOf(value: unknown): Felt | undefined {
  if (typeof value !== "string") return undefined;
  return /^\d{1,76}$/u.test(value) ? BigInt(value) : feltFromHex(value);
}
