import {
  array,
  bool,
  elementPath,
  integer,
  type JsonObject,
  type JsonValue,
  literal,
  mismatch,
  object,
  textOf,
} from "#base/codec/index.ts";
import type { HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { PreConfirmedAnswer, PreConfirmedBlock, PreConfirmedPart } from "../types.ts";
import { gasMembersOf } from "./execution-resources.ts";
import { readInfo, writeWholeInfo } from "./header.ts";
import { readReceipt, writeGatewayReceipt } from "./receipt.ts";
import { gatewayStateDiff, hasMigrations } from "./state-diff.ts";
import { gatewayTransaction } from "./transaction.ts";

/** Maximum length of a block identifier: it is sent back with each poll. */
const MAX_IDENTIFIER_LENGTH = 256;

/** Response of get_preconfirmed_block when the client's copy is up to date. */
export const PRE_CONFIRMED_UNCHANGED: JsonObject = { changed: false };

const identifier = textOf({ maxLength: MAX_IDENTIFIER_LENGTH });

const head = object(
  {},
  { changed: bool, timestamp: integer(), block_identifier: identifier, block_number: integer() },
);

const delta = object({ block_identifier: identifier, block_number: integer() });

const status = object({ status: literal("PRE_CONFIRMED") });

const lists = object({
  transactions: array(gatewayTransaction),
  transaction_receipts: array({ describe: "receipt", decode: (value: unknown) => value }),
  transaction_state_diffs: array({ describe: "state diff", decode: (value: unknown) => value }),
});

/**
 * Decodes the response of get_preconfirmed_block. Gateways without delta support omit `changed` and return
 * the whole block.
 *
 * @param requestedNumber - requested block number, which gateways without delta support do not return; `undefined` for
 *   the open block
 * @throws {DecodeError} naming the first invalid place, also for a different block than the requested one
 */
export function readPreConfirmed(
  value: JsonValue,
  requestedNumber: number | undefined,
): PreConfirmedAnswer {
  const { changed, timestamp, block_identifier: blockIdentifier, ...rest } = head.decode(value, "");
  if (changed === false) return { kind: "unchanged" };
  const number = rest.block_number ?? requestedNumber;
  if (number === undefined || number !== (requestedNumber ?? number)) {
    return mismatch("block_number", "number of the block that was asked for", rest.block_number);
  }
  if (changed === true && timestamp === undefined) {
    const { block_identifier: name } = delta.decode(value, "");
    return { kind: "more", identifier: name, number, ...readPart(value, undefined) };
  }
  status.decode(value, "");
  const info = { number, ...readInfo(value, "") };
  return { kind: "whole", block: { info, identifier: blockIdentifier, ...readPart(value, 0) } };
}

/** @param first - index of the first transaction in its block; `undefined` for a delta */
function readPart(value: JsonValue, first: number | undefined): PreConfirmedPart {
  const read = lists.decode(value, "");
  const { transactions, transaction_receipts: receipts, transaction_state_diffs: diffs } = read;
  for (const name of ["transaction_receipts", "transaction_state_diffs"] as const) {
    if (read[name].length !== transactions.length) {
      mismatch(name, `${transactions.length} elements, one for each transaction`, read[name]);
    }
  }
  return {
    transactions,
    receipts: transactions.map((each, i) => {
      const path = elementPath("transaction_receipts", i);
      const index = first === undefined ? undefined : first + i;
      return receipts[i] === null ? null : readReceipt(receipts[i], path, each, index);
    }),
    stateDiffs: diffs.map((diff, i) => readDiff(diff, i, receipts[i] === null)),
  };
}

/** A candidate has neither a receipt nor a state diff. */
function readDiff(value: unknown, index: number, isCandidate: boolean): StateDiff | null {
  const path = elementPath("transaction_state_diffs", index);
  if (!isCandidate) return gatewayStateDiff.read(value, path);
  return value === null ? null : mismatch(path, "null, as the receipt", value);
}

/**
 * Encodes a whole unaccepted block. An identifier makes it a delta response to a client that has another
 * block.
 */
export function writePreConfirmedBlock(block: PreConfirmedBlock): JsonObject {
  const { info, identifier: name } = block;
  return {
    ...(name === undefined ? {} : changedHead(name, info.number)),
    status: "PRE_CONFIRMED",
    ...writeWholeInfo(info),
    ...writePart(block, 0, info.protocolVersion),
  };
}

/**
 * Encodes the transactions of a block that the client does not have yet.
 *
 * @param first - number of transactions that the client has
 * @param protocolVersion - protocol version of the block
 */
export function writePreConfirmedMore(
  part: PreConfirmedPart & { readonly identifier: string; readonly number: number },
  first: number,
  protocolVersion: string,
): JsonObject {
  return {
    ...changedHead(part.identifier, part.number),
    ...writePart(part, first, protocolVersion),
  };
}

function changedHead(name: string, number: number): JsonObject {
  return { changed: true, block_identifier: name, block_number: number };
}

function writePart(part: PreConfirmedPart, first: number, protocolVersion: string): JsonObject {
  const gasMembers = gasMembersOf(protocolVersion);
  const withMigrations = hasMigrations(protocolVersion);
  const receiptOf = (receipt: Receipt | null, i: number) =>
    receipt === null
      ? null
      : writeGatewayReceipt(
          receipt,
          part.transactions[i] as HashedTransaction,
          first + i,
          gasMembers,
        );
  return {
    transactions: part.transactions.map((each) => gatewayTransaction.encode(each)),
    transaction_receipts: part.receipts.map(receiptOf),
    transaction_state_diffs: part.stateDiffs.map((diff) =>
      diff === null ? null : gatewayStateDiff.write(diff, withMigrations),
    ),
  };
}
