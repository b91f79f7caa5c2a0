import { type Decoder } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  remoteBody,
  remoteCommitments,
  remoteHead,
  type RemoteUpdate,
  remoteUpdate,
} from "#io/client/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { requireBlock } from "./block-list.ts";
import type { OriginCaller } from "./caller.ts";
import { blockCall, type BlockIdJson, largeCall } from "./calls.ts";
import { type ReceivedBlock, type VerifiedBlock, verifiedBlock } from "./verify-block.ts";

const receivedBlock: Decoder<Pick<ReceivedBlock, "head" | "commitments" | "body">> = {
  describe: "block with receipts",
  decode: (value, path) => ({
    head: remoteHead.decode(value, path),
    commitments: remoteCommitments.decode(value, path),
    body: remoteBody.decode(value, path),
  }),
};

/**
 * Reads a block with its receipts and verifies it. Reads its state changes too when the header lacks its
 * commitments.
 *
 * @throws {RpcRefusal} when the origin responds with an error
 * @throws {OriginError} ORIGIN_BAD_ANSWER for another block or wrong contents, and as `OriginCaller.read`
 */
export async function readBlock(
  caller: OriginCaller,
  id: BlockIdJson,
  chainId: Felt,
  task: OriginTask,
): Promise<VerifiedBlock> {
  const { value, name, spec } = await caller.read(blockCall(id), receivedBlock, task);
  requireBlock(value.head, id, name);
  const isWhole = value.commitments !== undefined;
  const update = isWhole ? undefined : await readUpdate(caller, id, value.head.hash, task);
  return verifiedBlock({ ...value, stateDiff: update?.stateDiff, name, spec }, chainId);
}

/**
 * Reads the state changes of a block.
 *
 * @param blockHash - hash of the block
 * @throws {RpcRefusal} when the origin responds with an error
 * @throws {OriginError} ORIGIN_BAD_ANSWER for another block, and as `OriginCaller.read`
 */
export async function readUpdate(
  caller: OriginCaller,
  id: BlockIdJson,
  blockHash: Felt,
  task: OriginTask,
): Promise<RemoteUpdate> {
  const call = largeCall("getStateUpdate", { block_id: id });
  const { value, name } = await caller.read(call, remoteUpdate, task);
  if (value.blockHash === blockHash) return value;
  const found = `the state update of block ${hexFromFelt(value.blockHash)}`;
  throw wrongAnswer(`${name} returned ${found} in place of block ${hexFromFelt(blockHash)}`);
}
