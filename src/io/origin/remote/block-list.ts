import { type Decoder, isJsonObject, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  remoteCommitments,
  remoteHashList,
  type RemoteHashList,
  remoteHead,
  type RemoteHead,
} from "#io/client/index.ts";
import type { BlockCommitments } from "#protocol/chain/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";
import { type BlockIdJson, largeCall } from "./calls.ts";

/** Header of a block with its transaction hashes. */
export interface BlockList extends RemoteHashList {
  readonly head: RemoteHead;
  /** `undefined` before JSON-RPC 0.10. */
  readonly commitments: BlockCommitments | undefined;
}

const blockList: Decoder<BlockList> = {
  describe: "block with transaction hashes",
  decode: (value, path) => ({
    ...remoteHashList.decode(value, path),
    head: remoteHead.decode(value, path),
    commitments: remoteCommitments.decode(value, path),
  }),
};

/**
 * Reads a block with its transaction hashes.
 *
 * @param only - name of the only URL that may respond; without it, any may
 * @throws {RpcRefusal} when the origin responds with an error
 * @throws {OriginError} ORIGIN_BAD_ANSWER for another block, and as `OriginCaller.read`
 */
export async function readBlockList(
  caller: OriginCaller,
  id: BlockIdJson,
  task: OriginTask,
  only?: string,
): Promise<BlockList> {
  const named = largeCall("getBlockWithTxHashes", { block_id: id });
  const call = only === undefined ? named : { ...named, only };
  const { value, name } = await caller.read(call, blockList, task);
  requireBlock(value.head, id, name);
  return value;
}

/**
 * Checks that a header is that of the requested block.
 *
 * @throws {OriginError} ORIGIN_BAD_ANSWER for another block
 */
export function requireBlock(head: RemoteHead, id: BlockIdJson, name: string): void {
  if (!isJsonObject(id)) return;
  const { block_hash: hash, block_number: number } = id;
  const found = hash === undefined ? head.number : hexFromFelt(head.hash);
  const expected = hash ?? number;
  if (found === expected) return;
  throw wrongAnswer(
    `${name} returned block ${found} in place of block ${stringifyJson(expected ?? null)}`,
  );
}
