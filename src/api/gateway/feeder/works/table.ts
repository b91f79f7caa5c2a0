import { createQueryTable, type MethodTable, type QueryWorks } from "#api/rpc/index.ts";
import {
  array,
  bool,
  type Codec,
  felt,
  integer,
  type JsonValue,
  literal,
  nullable,
  text,
  tuple,
} from "#base/codec/index.ts";
import { FEEDER_TABLE } from "../long-answer.ts";
import { acceptedBlock, acceptedUpdate, acceptedBlockWithUpdate } from "./accepted.ts";
import { compiledClass, contractClass } from "./classes.ts";
import { preConfirmed } from "./pre-confirmed.ts";
import { call } from "./call.ts";
import { blockTraces, oneTrace } from "./traces.ts";
import { bouncerWeights } from "./weights.ts";

const status = literal("ACCEPTED_ON_L2", "ACCEPTED_ON_L1");
const accepted = tuple(integer(), felt, status);
const whole = tuple(integer(), felt, status, bool);
const executed = tuple(integer(), felt);
const hash = tuple(felt);
const declared = tuple(felt, nullable(integer()));
const called = tuple(nullable(integer()), nullable(felt), felt, felt, array(felt));
const unaccepted = tuple(
  tuple(integer(), integer(), nullable(felt)),
  nullable(text),
  nullable(integer()),
  bool,
  array(text),
);

/** Queries of the feeder gateway that run on query threads. The main thread passes parameters by position. */
const WORKS: QueryWorks = {
  block(context, params) {
    const [number, blockHash, finality] = read(accepted, params);
    return acceptedBlock(context, { number, hash: blockHash, status: finality });
  },
  stateUpdate(context, params) {
    const [number, blockHash, finality] = read(accepted, params);
    return acceptedUpdate(context, { number, hash: blockHash, status: finality });
  },
  wholeBlock(context, params) {
    const [number, blockHash, finality, withSignature] = read(whole, params);
    return acceptedBlockWithUpdate(
      context,
      { number, hash: blockHash, status: finality },
      withSignature,
    );
  },
  blockTraces(context, params) {
    const [number, blockHash] = read(executed, params);
    return blockTraces(context, { number, hash: blockHash });
  },
  bouncerWeights(context, params) {
    const [number, blockHash] = read(executed, params);
    return bouncerWeights(context, { number, hash: blockHash });
  },
  transactionTrace(context, params) {
    const [transactionHash] = read(hash, params);
    return oneTrace(context, transactionHash);
  },
  contractClass(context, params) {
    const [classHash, upTo] = read(declared, params);
    return contractClass(context, { hash: classHash, upTo });
  },
  compiledClass(context, params) {
    const [classHash, upTo] = read(declared, params);
    return compiledClass(context, { hash: classHash, upTo });
  },
  feederCall(context, params) {
    const [number, blockHash, contractAddress, entryPointSelector, calldata] = read(called, params);
    const at = number === null || blockHash === null ? null : { number, hash: blockHash };
    return call(context, at, { contractAddress, entryPointSelector, calldata });
  },
  preConfirmed(context, params) {
    const [block, identifier, known, withNumber, candidates] = read(unaccepted, params);
    const [number, count, last] = block;
    return preConfirmed(context, {
      block: { number, count, last },
      identifier: identifier ?? undefined,
      known: known ?? undefined,
      withNumber,
      candidates: candidates.map((bytes) => Buffer.from(bytes, "base64")),
    });
  },
};

/** Creates the method table by which query threads find the feeder gateway's queries. */
export function createFeederTable(): MethodTable {
  return createQueryTable(FEEDER_TABLE, WORKS);
}

function read<T>(codec: Codec<T>, params: JsonValue | undefined): T {
  return codec.decode(params, "");
}
