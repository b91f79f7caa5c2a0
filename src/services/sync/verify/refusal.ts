import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Mismatch, MismatchField } from "#protocol/chain/index.ts";
import type { SyncCheck, SyncRefusal } from "../ports.ts";

const MAX_PATH = 160;

/** Matches characters that are not part of any field name of a gateway. */
const STRANGE = /[^A-Za-z0-9_.[\]]/gu;

/** Field names as gateways write them. */
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

/** Names of block checks. Gateways report no counts, so counts are never compared. */
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

/**
 * Field of a block whose received value differs from the expected one. Felts are shown in
 * hexadecimal, numbers in decimal.
 */
export interface Difference {
  readonly check: SyncCheck;
  readonly field: string;
  readonly expected: Felt | number | string;
  readonly found: Felt | number | string | undefined;
}

/** Creates the refusal of a block, naming the field, what was expected and what was found. */
export function refusalOf(
  blockNumber: number,
  { check, field, expected, found }: Difference,
): SyncRefusal {
  const message = `${field}: expected ${shown(expected)}, found ${shown(found)}`;
  return { check, blockNumber, message };
}

/** Creates a refusal for a mismatch; `undefined` if none. */
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
 * Creates the refusal of data that cannot be decoded. Paths may contain untrusted names (members of maps):
 * they are cut, and characters that no field name of a gateway has are replaced.
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
