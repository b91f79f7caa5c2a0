import {
  address,
  array,
  bool,
  type Decoder,
  felt,
  memberPath,
  object,
  storageKey,
  streamArray,
  streamConvert,
  type StreamDecoder,
  streamObject,
  streamScalar,
  streamWhole,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { FeltLists } from "../felts/felt-lists.ts";
import { uniqueMap } from "./state-update.ts";
import { type RemoteTrace, remoteTrace } from "./trace.ts";

/** Values that a block read from the state before it, as reported by a node. */
export interface RemoteReads {
  readonly storage: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>;
  readonly nonces: ReadonlyMap<Felt, Felt>;
  readonly classHashes: ReadonlyMap<Felt, Felt>;
  /** Declaration status of each class that the block looked up. */
  readonly declared: ReadonlyMap<Felt, boolean>;
}

/** Result of traceBlockTransactions with initial reads. */
export interface RemoteTraces {
  readonly traces: readonly RemoteTraceRow[];
  readonly reads: RemoteReads;
}

const readMembers = object(
  {},
  {
    storage: array(object({ contract_address: address, key: storageKey, value: felt })),
    nonces: array(object({ contract_address: address, nonce: felt })),
    class_hashes: array(object({ contract_address: address, class_hash: felt })),
    declared_contracts: array(object({ class_hash: felt, is_declared: bool })),
  },
);

/** Decodes INITIAL_READS; rejects duplicate entries. */
export const remoteReads: Decoder<RemoteReads> = {
  describe: "initial reads",
  decode(value, path) {
    const read = readMembers.decode(value, path);
    const storage = new Map<Felt, Map<Felt, Felt>>();
    for (const { contract_address, key, value: cell } of read.storage ?? []) {
      let cells = storage.get(contract_address);
      if (cells === undefined) storage.set(contract_address, (cells = new Map()));
      if (cells.has(key)) {
        const place = memberPath(path, "storage");
        const twice = `${hexFromFelt(key)} of ${hexFromFelt(contract_address)} once, not twice`;
        throw new DecodeError(place, twice);
      }
      cells.set(key, cell);
    }
    return {
      storage,
      nonces: uniqueMap(
        memberPath(path, "nonces"),
        (read.nonces ?? []).map((row) => [row.contract_address, row.nonce]),
      ),
      classHashes: uniqueMap(
        memberPath(path, "class_hashes"),
        (read.class_hashes ?? []).map((row) => [row.contract_address, row.class_hash]),
      ),
      declared: uniqueMap(
        memberPath(path, "declared_contracts"),
        (read.declared_contracts ?? []).map((row) => [row.class_hash, row.is_declared]),
      ),
    };
  },
};

/** Estimated memory of a trace in bytes, without its calls and its state diff. */
const TRACE_BYTES = 600;

/** Trace of a transaction in a block, as reported by a node. */
export interface RemoteTraceRow {
  readonly transactionHash: Felt;
  readonly trace: RemoteTrace;
}

/** Creates a decoder for traceBlockTransactions without flags. */
export function remoteTraceRows(): StreamDecoder<readonly RemoteTraceRow[]> {
  const row = streamObject(
    { transaction_hash: streamScalar(felt), trace_root: remoteTrace(new FeltLists()) },
    {},
  );
  const kept = streamConvert(row, row.describe, ({ transaction_hash, trace_root }) => ({
    transactionHash: transaction_hash,
    trace: trace_root,
  }));
  return streamArray(kept, TRACE_BYTES);
}

/** Creates a decoder for traceBlockTransactions with the flag RETURN_INITIAL_READS. */
export function remoteTraces(): StreamDecoder<RemoteTraces> {
  const members = streamObject(
    { traces: remoteTraceRows(), initial_reads: streamWhole(remoteReads) },
    {},
  );
  return streamConvert(members, members.describe, (read) => ({
    traces: read.traces,
    reads: read.initial_reads,
  }));
}
