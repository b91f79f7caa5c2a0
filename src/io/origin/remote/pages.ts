import {
  array,
  type Decoder,
  felt,
  integer,
  isJsonObject,
  type JsonValue,
  nullable,
  object,
  parseJson,
  streamWhole,
  text,
} from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { remoteProof, type RpcParams, remoteTraceRows } from "#io/client/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginEventQuery, OriginQuery } from "../query.ts";
import type { OriginCall, OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";
import { largeCall, numberId } from "./calls.ts";
import { type ForkBlocks, requireSameHash } from "./fork-blocks.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";

const emittedEvent = object(
  { from_address: felt, keys: array(felt), data: array(felt), transaction_hash: felt },
  { block_hash: felt, block_number: integer() },
);

const eventPage = object({ events: array(emittedEvent) }, { continuation_token: nullable(text) });

type EmittedEvent = ReturnType<typeof emittedEvent.decode>;

/**
 * Reads one page of an event search of the origin.
 *
 * @returns the result as JSON text; `null` if the origin does not know the token
 * @throws {OriginError} ORIGIN_BAD_ANSWER for an event that does not match the filter,
 *   ORIGIN_REFUSED for an error of the origin, and as `OriginCaller.readText`
 */
export async function readEvents(
  caller: OriginCaller,
  { fork }: ForkBlocks,
  query: OriginEventQuery,
  task: OriginTask,
): Promise<Uint8Array | null> {
  const reading = caller.readText(eventsCall(query), streamWhole(eventPage), task);
  const read = await (query.token === null ? reading : orAbsent(reading, RPC_CODES.unknownToken));
  if (read === undefined) return null;
  for (const event of read.value.events) {
    if (!matches(event, query)) {
      throw wrongAnswer(`${read.name} returned an event that does not match "${task.what}"`);
    }
    if (event.block_number !== fork.number || event.block_hash === undefined) continue;
    requireSameHash(read.name, fork.number, fork.hash, event.block_hash);
  }
  return read.bytes;
}

function eventsCall(query: OriginEventQuery): OriginCall {
  const { fromBlock, toBlock, addresses, keys, token, chunkSize } = query;
  const list = addresses.map(hexFromFelt);
  return {
    method: "starknet_getEvents",
    isLarge: true,
    params: ({ hasFlags }): RpcParams => {
      const filter: Record<string, JsonValue> = {
        from_block: numberId(fromBlock),
        to_block: numberId(toBlock),
        keys: keys.map((position) => position.map(hexFromFelt)),
        chunk_size: chunkSize,
      };
      const [first] = list;
      // Versions before 0.10 search one address: for several, the caller chooses among the events of all.
      if (first !== undefined && list.length === 1) filter["address"] = first;
      else if (list.length > 1 && hasFlags) filter["address"] = list;
      if (token !== null) filter["continuation_token"] = token;
      return { filter };
    },
  };
}

function matches(event: EmittedEvent, query: OriginEventQuery): boolean {
  const { block_number: number, from_address: emitter } = event;
  const { fromBlock, toBlock, addresses, keys } = query;
  if (number === undefined || number < fromBlock || number > toBlock) return false;
  if (addresses.length === 1 && !addresses.includes(emitter)) return false;
  return keys.every((accepted, position) => {
    const key = event.keys[position];
    return accepted.length === 0 || (key !== undefined && accepted.includes(key));
  });
}

/**
 * Reads the traces of a block's transactions.
 *
 * @returns the result as JSON text
 * @throws {OriginError} ORIGIN_BAD_ANSWER for traces of other transactions, and as `ForkBlocks.at`
 */
export async function readTraces(
  caller: OriginCaller,
  blocks: ForkBlocks,
  blockNumber: number,
  task: OriginTask,
): Promise<Uint8Array> {
  const [{ transactionHashes }, read] = await Promise.all([
    blocks.list(blockNumber, task),
    blocks.at(
      blockNumber,
      (id) =>
        caller.readText(
          largeCall("traceBlockTransactions", { block_id: id }),
          remoteTraceRows(),
          task,
        ),
      task,
    ),
  ]);
  const traced = read.value.map(({ transactionHash }) => transactionHash);
  if (sameFelts(traced, transactionHashes)) return read.bytes;
  throw wrongAnswer(`${read.name} returned traces of other transactions for "${task.what}"`);
}

function sameFelts(left: readonly Felt[], right: readonly Felt[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}

/** Parameters of a proof request besides its block id: an object. */
const proofParams: Decoder<RpcParams> = {
  describe: "object with the parameters of getStorageProof",
  decode: (value) => (isJsonObject(value) ? (value as RpcParams) : {}),
};

/**
 * Reads a storage proof of the origin.
 *
 * @returns the result as JSON text; `null` if the origin does not prove the block
 * @throws {OriginError} ORIGIN_BAD_ANSWER for a proof of another block, and as `ForkBlocks.at`
 */
export async function readProof(
  caller: OriginCaller,
  blocks: ForkBlocks,
  { block, paramsText }: Extract<OriginQuery, { readonly kind: "proof" }>,
  task: OriginTask,
): Promise<Uint8Array | null> {
  const params = proofParams.decode(parseJson(paramsText), "");
  const absence = RPC_CODES.proofNotSupported;
  const [{ head }, read] = await Promise.all([
    blocks.list(block, task),
    orAbsent(
      blocks.at(
        block,
        (id) =>
          caller.readText(
            largeCall("getStorageProof", { ...params, block_id: id }),
            streamWhole(remoteProof),
            task,
          ),
        task,
        absence,
      ),
      absence,
    ),
  ]);
  if (read === undefined) return null;
  requireProofOf(read.value.blockHash, head.hash, read.name, block);
  return read.bytes;
}

function requireProofOf(found: Felt, expected: Felt, name: string, block: number): void {
  if (found === expected) return;
  const hashes = `${hexFromFelt(found)} in place of block ${block} (${hexFromFelt(expected)})`;
  throw wrongAnswer(`${name} returned a proof of block ${hashes}`);
}
