import { type Decoder, isJsonObject, parseJson, streamWhole } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { remoteProof, type RpcParams, remoteTraceRows } from "#io/client/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginQuery } from "../query.ts";
import type { OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";
import { largeCall } from "./calls.ts";
import type { ForkBlocks } from "./fork-blocks.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";

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
