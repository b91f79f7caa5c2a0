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

/** Domain types by wire name. */
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
 * Decodes a transaction without its hash. The address of a deployed contract is not verified. The fee that an
 * L1 handler's sender paid on L1 is `null`: gateways do not report it.
 *
 * @throws {DecodeError} naming the first invalid place
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
  // The hash does not cover this nonce, so it is only validated.
  if (isDeclare0(transaction) && value["nonce"] !== undefined) {
    felt.decode(value["nonce"], memberPath(path, "nonce"));
  }
  return transaction;
}

function isDeclare0({ type, version }: Transaction): boolean {
  return type === "DECLARE" && version === 0;
}

/** The first blocks may lack versions; a missing one means version 0. */
function versionOf(value: Readonly<Record<string, unknown>>, path: string): bigint {
  const version = value["version"];
  return version === undefined ? 0n : felt.decode(version, memberPath(path, "version"));
}

/** Codec of a transaction together with its reported hash, which is not verified. */
export const gatewayTransaction: Codec<HashedTransaction> = {
  describe: "transaction",
  decode(value, path) {
    const transaction = readTransactionFields(value, path);
    const hashText = (value as JsonObject)["transaction_hash"];
    return { hash: felt.decode(hashText, memberPath(path, "transaction_hash")), transaction };
  },
  encode: writeGatewayTransaction,
};

/** Encodes a transaction as part of a block. */
export function writeGatewayTransaction({ hash, transaction }: HashedTransaction): JsonObject {
  return { transaction_hash: hexFromFelt(hash), ...writeTransactionFields(transaction) };
}

/** Encodes a transaction without its hash; inverse of {@link readTransactionFields}. */
export function writeTransactionFields(transaction: Transaction): JsonObject {
  const form: Codec<Transaction> =
    TRANSACTION_FORMS[
      `${transaction.type} ${transaction.version}` as keyof typeof TRANSACTION_FORMS
    ];
  const written = form.encode(transaction) as JsonObject;
  // Readers require a nonce, which a declaration of version 0 does not have.
  return isDeclare0(transaction) ? { ...written, nonce: "0x0" } : written;
}
