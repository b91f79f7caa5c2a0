import {
  array,
  elementPath,
  integer,
  type JsonObject,
  type JsonValue,
  literal,
  memberPath,
  mismatch,
  object,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import type { GatewayBlock, GatewayBlockReference, GatewayHeader } from "../types.ts";
import { gasMembersOf } from "./execution-resources.ts";
import { readInfo, writeInfo } from "./header.ts";
import { field, members, optionalField } from "./members.ts";
import { felt } from "./numbers.ts";
import { readReceipt, writeGatewayReceipt } from "./receipt.ts";
import { gatewayTransaction } from "./transaction.ts";

const height = integer();

/** Header members that {@link readInfo} does not read. */
type Sealed = Omit<GatewayHeader, keyof ReturnType<typeof readInfo>>;

const commitment = (name: string) => optionalField<Felt | undefined>(name, felt, undefined);

const sealed = members<Sealed>("block", {
  hash: field("block_hash", felt),
  parentHash: field("parent_block_hash", felt),
  number: field("block_number", height),
  newRoot: field("state_root", felt, "state_commitment"),
  transactionCommitment: commitment("transaction_commitment"),
  eventCommitment: commitment("event_commitment"),
  receiptCommitment: commitment("receipt_commitment"),
  stateDiffCommitment: commitment("state_diff_commitment"),
  stateDiffLength: optionalField<number | undefined>("state_diff_length", height, undefined),
  status: field("status", literal("ACCEPTED_ON_L2", "ACCEPTED_ON_L1")),
});

const body = object({
  transactions: array(gatewayTransaction),
  transaction_receipts: array({
    describe: "receipt",
    decode: (value: unknown) => value,
  }),
});

/**
 * Decodes the response of get_block. Receipts must match the transactions in order; only the shape is
 * checked.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewayBlock(value: JsonValue, path = ""): GatewayBlock {
  const info = readInfo(value, path);
  const header: GatewayHeader = { ...sealed.decode(value, path), ...info };
  const { transactions, transaction_receipts: receipts } = body.decode(value, path);
  const at = memberPath(path, "transaction_receipts");
  if (receipts.length !== transactions.length) {
    mismatch(at, `${transactions.length} receipts, one for each transaction`, receipts);
  }
  return {
    header,
    transactions,
    receipts: transactions.map((each, i) => readReceipt(receipts[i], elementPath(at, i), each, i)),
  };
}

/**
 * Encodes the response of get_block. Members that older blocks did not have are omitted: receipt and state
 * diff commitments and the state diff length exist from 0.13.2 on.
 */
export function writeGatewayBlock({ header, transactions, receipts }: GatewayBlock): JsonObject {
  const hasLaterCommitments = compareProtocolVersions(header.protocolVersion, "0.13.2") >= 0;
  const written: GatewayHeader = hasLaterCommitments
    ? header
    : {
        ...header,
        receiptCommitment: undefined,
        stateDiffCommitment: undefined,
        stateDiffLength: undefined,
      };
  return {
    ...(sealed.encode(written) as JsonObject),
    ...writeInfo(header),
    transactions: transactions.map((each) => gatewayTransaction.encode(each)),
    transaction_receipts: writeReceipts(transactions, receipts, header.protocolVersion),
  };
}

function writeReceipts(
  transactions: readonly HashedTransaction[],
  receipts: readonly Receipt[],
  protocolVersion: string,
): readonly JsonObject[] {
  const gasMembers = gasMembersOf(protocolVersion);
  return receipts.map((receipt, i) =>
    writeGatewayReceipt(receipt, transactions[i] as HashedTransaction, i, gasMembers),
  );
}

const reference = members<GatewayBlockReference>("block's hash and number", {
  hash: field("block_hash", felt),
  number: field("block_number", height),
});

/**
 * Decodes the response of get_block with `headerOnly`.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readBlockReference(value: JsonValue): GatewayBlockReference {
  return reference.decode(value, "");
}

/** Encodes the response of get_block with `headerOnly`. It has no other members: readers reject any. */
export function writeBlockReference({ hash, number }: GatewayBlockReference): JsonObject {
  return reference.encode({ hash, number }) as JsonObject;
}
