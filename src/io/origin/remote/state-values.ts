import { felt } from "#base/codec/index.ts";
import { bytesFromFelt, hexFromFelt } from "#base/primitives/index.ts";
import type { RpcParams } from "#io/client/index.ts";
import type { SlotQuery } from "../query.ts";
import type { OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";
import { smallCall } from "./calls.ts";
import type { ForkBlocks } from "./fork-blocks.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";

const METHODS = {
  storage: "getStorageAt",
  nonce: "getNonce",
  classHash: "getClassHashAt",
} as const satisfies Record<SlotQuery["kind"], string>;

/**
 * Reads a value of a contract; 0 when the contract does not exist.
 *
 * @returns 32 bytes, big-endian
 * @throws {OriginError} as `ForkBlocks.at`
 */
export async function readStateValue(
  caller: OriginCaller,
  blocks: ForkBlocks,
  query: SlotQuery,
  task: OriginTask,
): Promise<Uint8Array> {
  const address = { contract_address: hexFromFelt(query.address) };
  const params: RpcParams =
    query.kind === "storage" ? { ...address, key: hexFromFelt(query.key) } : address;
  const absence = RPC_CODES.contractNotFound;
  const reading = blocks.at(
    query.block,
    (id) => caller.read(smallCall(METHODS[query.kind], { ...params, block_id: id }), felt, task),
    task,
    absence,
  );
  const read = await orAbsent(reading, absence);
  return bytesFromFelt(read?.value ?? 0n);
}
