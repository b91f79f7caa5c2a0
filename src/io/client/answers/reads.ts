import {
  address,
  array,
  bool,
  type Decoder,
  felt,
  memberPath,
  object,
  storageKey,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { uniqueMap } from "./state-update.ts";
import { type RemoteTrace, remoteTrace } from "./trace.ts";

/** What a block read of the state before it, as a node tells it. */
export interface RemoteReads {
  readonly storage: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>;
  readonly nonces: ReadonlyMap<Felt, Felt>;
  readonly classHashes: ReadonlyMap<Felt, Felt>;
  /** Classes that were asked for; whether they were declared. */
  readonly declared: ReadonlyMap<Felt, boolean>;
}

/** What traceBlockTransactions tells with the initial reads. */
export interface RemoteTraces {
  readonly traces: readonly { readonly transactionHash: Felt; readonly trace: RemoteTrace }[];
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

/** INITIAL_READS; no place may stand in it twice. */
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

const traceMembers = object({
  traces: array(object({ transaction_hash: felt, trace_root: remoteTrace })),
  initial_reads: remoteReads,
});

/** What traceBlockTransactions answers with the flag RETURN_INITIAL_READS. */
export const remoteTraces: Decoder<RemoteTraces> = {
  describe: traceMembers.describe,
  decode(value, path) {
    const read = traceMembers.decode(value, path);
    return {
      traces: read.traces.map(({ transaction_hash, trace_root }) => ({
        transactionHash: transaction_hash,
        trace: trace_root,
      })),
      reads: read.initial_reads,
    };
  },
};
