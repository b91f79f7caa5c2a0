import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Mismatch, MismatchField } from "#protocol/chain/index.ts";
import type { SyncCheck, SyncRefusal } from "../ports.ts";

/** Longest path that a message names. */
const MAX_PATH = 160;

/** What paths are made of where no stranger chose the name. */
const STRANGE = /[^A-Za-z0-9_.[\]]/gu;

/** Fields by the names that gateways have for them. */
const NAMES: Readonly<Record<MismatchField, string>> = {
  hash: "hash",
  contractAddress: "contract_address",
  receipts: "number of receipts",
  transactionHash: "transaction_hash",
  transactionCount: "number of transactions",
  transactionCommitment: "transaction_commitment",
  eventCount: "number of events",
  eventCommitment: "event_commitment",
  receiptCommitment: "receipt_commitment",
  stateDiffLength: "state_diff_length",
  stateDiffCommitment: "state_diff_commitment",
  signature: "signature",
  classHash: "class_hash",
  compiledClassHash: "compiled_class_hash",
};

/** Of a check of a block: no count is told by gateways, so that none is ever compared. */
const CHECKS: Readonly<Record<Mismatch["check"], SyncCheck>> = {
  transaction_hash: "transaction_hash",
  receipt: "receipt",
  transaction_count: "transaction_commitment",
  transaction_commitment: "transaction_commitment",
  event_count: "event_commitment",
  event_commitment: "event_commitment",
  receipt_commitment: "receipt_commitment",
  state_diff_length: "state_diff_length",
  state_diff_commitment: "state_diff_commitment",
  block_hash: "block_hash",
  signature: "signature",
  class_hash: "class_hash",
  compiled_class_hash: "compiled_class_hash",
};

/** What a value must be, and what it is. Felts are shown in hexadecimal, numbers in decimal. */
export interface Difference {
  readonly check: SyncCheck;
  readonly field: string;
  readonly expected: Felt | number | string;
  readonly found: Felt | number | string | undefined;
}

/** Refuses a block, naming the field, what was expected and what was found. */
export function refusalOf(
  blockNumber: number,
  { check, field, expected, found }: Difference,
): SyncRefusal {
  const message = `${field}: expected ${shown(expected)}, found ${shown(found)}`;
  return { check, blockNumber, message };
}

/** {@link refusalOf} for a mismatch; `undefined` where there is none. */
export function refusalOfMismatch(
  blockNumber: number,
  mismatch: Mismatch | undefined,
): SyncRefusal | undefined {
  if (mismatch === undefined) return undefined;
  const { check, field, index, expected, found } = mismatch;
  const what = check === "receipt" ? "receipt" : "transaction";
  const place = index === null ? "" : ` of ${what} ${index}`;
  const named = `${field === "hash" ? check : NAMES[field]}${place}`;
  return refusalOf(blockNumber, { check: CHECKS[check], field: named, expected, found });
}

/**
 * Refuses what cannot be read. Names that a stranger chose (members of maps) are part of a path: they are
 * cut, and letters that no name of a gateway has are replaced.
 */
export function formRefusal(blockNumber: number, error: DecodeError): SyncRefusal {
  const { path, expected, meta } = error;
  const shownPath = path.slice(0, MAX_PATH).replace(STRANGE, "?");
  const place = path === "" ? "answer" : `${shownPath}${path.length > MAX_PATH ? "..." : ""}`;
  const got = meta["got"];
  const found = typeof got === "string" ? `, found ${got}` : "";
  return { check: "form", blockNumber, message: `${place}: expected ${expected}${found}` };
}

function shown(value: Felt | number | string | undefined): string {
  if (value === undefined) return "nothing";
  return typeof value === "bigint" ? hexFromFelt(value) : String(value);
}
