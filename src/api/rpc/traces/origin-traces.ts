import {
  array,
  felt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mismatch,
  object,
  parseJson,
} from "#base/codec/index.ts";
import { OriginError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionLocation } from "#engine/state/index.ts";
import { stateAfter } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import type { OriginTrace } from "../spec/origin-trace.ts";

/** Trace of a block's transaction, as the fork's origin returned it. */
export interface OriginBlockTrace {
  readonly hash: Felt;
  readonly trace: OriginTrace;
}

const json = {
  describe: "object",
  decode: (value: JsonValue, path: string): JsonObject =>
    isJsonObject(value) ? value : mismatch(path, "object", value),
};

const rows = array(object({ transaction_hash: felt, trace_root: json }));

/**
 * Returns the trace of a transaction in a block of the fork's origin; `undefined` for other transactions, and
 * on a chain that is no fork.
 *
 * @throws {OriginError} when the origin does not return the trace
 */
export function originTrace(
  context: ChainContext,
  hash: Felt,
  location: TransactionLocation | undefined,
): OriginTrace | undefined {
  const { fork } = context;
  if (fork === null || location === undefined || location.blockNumber > fork.forkBlock) return;
  const bytes = fork.ask({ kind: "trace", transactionHash: hash });
  if (bytes === null) throw lacking(hash);
  return traceOf(context, location, json.decode(parsed(bytes), ""));
}

/**
 * Returns the traces of a block of the fork's origin; `undefined` for other blocks, and on a chain that is no
 * fork.
 *
 * @throws {OriginError} when the origin does not return the traces
 */
export function originTraces(
  context: ChainContext,
  blockNumber: number,
): readonly OriginBlockTrace[] | undefined {
  const { fork } = context;
  if (fork === null || blockNumber > fork.forkBlock) return undefined;
  const bytes = fork.ask({ kind: "traces", block: blockNumber });
  return rows.decode(parsed(bytes ?? new TextEncoder().encode("[]")), "").map((row, index) => ({
    hash: row.transaction_hash,
    trace: traceOf(context, { blockNumber, index }, row.trace_root),
  }));
}

function traceOf(
  context: ChainContext,
  location: TransactionLocation,
  trace: JsonObject,
): OriginTrace {
  return {
    json: trace,
    handler() {
      const transaction = context.chain.transactionAt(location);
      if (transaction?.transaction.type !== "L1_HANDLER") throw lacking(transaction?.hash ?? 0n);
      const { contractAddress } = transaction.transaction;
      const classHash = stateAfter(context, location.blockNumber).classHashAt(contractAddress);
      return { transaction, classHash };
    },
  };
}

function parsed(bytes: Uint8Array): JsonValue {
  return parseJson(new TextDecoder().decode(bytes));
}

function lacking(hash: Felt): OriginError {
  const message = `the fork's origin has no trace of transaction ${hexFromFelt(hash)}`;
  return new OriginError("ORIGIN_BAD_ANSWER", message, false);
}
