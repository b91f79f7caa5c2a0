import {
  type Codec,
  isJsonObject,
  type JsonObject,
  memberPath,
  mismatch,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { HashedTransaction, Transaction } from "#protocol/chain/index.ts";
import { felt } from "./numbers.ts";
import { TRANSACTION_FORMS } from "./transaction-forms.ts";

const FORMS: Readonly<Record<string, Codec<Transaction>>> = TRANSACTION_FORMS;

/** Types of the domain by their names in JSON. */
const TYPES: ReadonlyMap<unknown, Transaction["type"]> = new Map([
  ["INVOKE_FUNCTION", "INVOKE"],
  ["INVOKE", "INVOKE"],
  ["DECLARE", "DECLARE"],
  ["DEPLOY_ACCOUNT", "DEPLOY_ACCOUNT"],
  ["DEPLOY", "DEPLOY"],
  ["L1_HANDLER", "L1_HANDLER"],
]);

const KNOWN_TYPE = "type of a transaction";
const KNOWN_VERSION = "version that the type has";

/**
 * A transaction without its hash. The address that a deployment makes is taken as it is told; so is
 * nobody's fee of an L1 handler, which gateways do not tell.
 *
 * @throws {DecodeError} naming the first wrong place
 */
export function readTransactionFields(value: unknown, path: string): Transaction {
  if (!isJsonObject(value)) return mismatch(path, "transaction", value);
  const type = TYPES.get(value["type"]);
  if (type === undefined) return mismatch(memberPath(path, "type"), KNOWN_TYPE, value["type"]);
  const form = FORMS[`${type} ${versionOf(value, path)}`];
  if (form === undefined) {
    return mismatch(memberPath(path, "version"), KNOWN_VERSION, value["version"]);
  }
  const transaction = form.decode(value, path);
  // It says nothing: the hash does not cover it.
  if (isDeclare0(transaction) && value["nonce"] !== undefined) {
    felt.decode(value["nonce"], memberPath(path, "nonce"));
  }
  return transaction;
}

function isDeclare0({ type, version }: Transaction): boolean {
  return type === "DECLARE" && version === 0;
}

/** Transactions of the first blocks may lack a version: they have version 0. */
function versionOf(value: Readonly<Record<string, unknown>>, path: string): bigint {
  const version = value["version"];
  return version === undefined ? 0n : felt.decode(version, memberPath(path, "version"));
}

/** A transaction with the hash that stands beside its fields; the hash is not checked. */
export const gatewayTransaction: Codec<HashedTransaction> = {
  describe: "transaction",
  decode(value, path) {
    const transaction = readTransactionFields(value, path);
    const told = (value as JsonObject)["transaction_hash"];
    return { hash: felt.decode(told, memberPath(path, "transaction_hash")), transaction };
  },
  encode: writeGatewayTransaction,
};

/** A transaction as it stands in a block. */
export function writeGatewayTransaction({ hash, transaction }: HashedTransaction): JsonObject {
  return { transaction_hash: hexFromFelt(hash), ...writeTransactionFields(transaction) };
}

/** A transaction without its hash, as {@link readTransactionFields} reads it. */
export function writeTransactionFields(transaction: Transaction): JsonObject {
  const form: Codec<Transaction> =
    TRANSACTION_FORMS[
      `${transaction.type} ${transaction.version}` as keyof typeof TRANSACTION_FORMS
    ];
  const written = form.encode(transaction) as JsonObject;
  // Readers want the nonce that a declaration of version 0 does not have.
  return isDeclare0(transaction) ? { ...written, nonce: "0x0" } : written;
}
