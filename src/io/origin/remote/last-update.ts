import { felt, integer, object } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginQuery } from "../query.ts";
import type { OriginTask } from "../rpc/pending.ts";
import type { OriginCaller } from "./caller.ts";
import type { ForkBlocks } from "./fork-blocks.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";

const answer = object({ value: felt, last_update_block: integer() });

/**
 * Reads the number of the last block that changed a storage variable; `undefined` for a contract that does not
 * exist. Only origins with response flags know it.
 *
 * @throws {OriginError} ORIGIN_BAD_ANSWER for a block after the queried one, and as `ForkBlocks.at`
 */
export async function readLastUpdate(
  caller: OriginCaller,
  blocks: ForkBlocks,
  query: Extract<OriginQuery, { readonly kind: "lastUpdate" }>,
  task: OriginTask,
): Promise<number | undefined> {
  const params = {
    contract_address: hexFromFelt(query.address),
    key: hexFromFelt(query.key),
    response_flags: ["INCLUDE_LAST_UPDATE_BLOCK"],
  };
  const absence = RPC_CODES.contractNotFound;
  const reading = blocks.at(
    query.block,
    (id) =>
      caller.read(
        {
          method: "starknet_getStorageAt",
          params: () => ({ ...params, block_id: id }),
          isLarge: false,
        },
        answer,
        task,
      ),
    task,
    absence,
  );
  const read = await orAbsent(reading, absence);
  if (read === undefined) return undefined;
  const { last_update_block: found } = read.value;
  if (found <= query.block) return found;
  throw wrongAnswer(`${read.name} returned a change in block ${found} for "${task.what}"`);
}
