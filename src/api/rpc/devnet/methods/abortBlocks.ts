import { hexFromFelt } from "#base/primitives/index.ts";
import { method, required } from "../../method.ts";
import { blockOrFail } from "../../methods/shared.ts";
import { devnetOf } from "../devnet-context.ts";
import { DEVNET_CODES, DevnetFault } from "../fault.ts";

/** devnet_abortBlocks. */
export const abortBlocks = method({
  name: "devnet_abortBlocks",
  family: "write",
  runsOn: "main",
  summary: "Takes back a block and all after it, newest first.",
  params: (spec) => ({ starting_block_id: required(spec.blockId) }),
  result: () => (hashes: readonly bigint[]) => ({
    aborted: hashes.map((hash) => hexFromFelt(hash)),
  }),
  errors: ["BLOCK_NOT_FOUND"],
  handler(context, { starting_block_id: id }, fail) {
    const block = blockOrFail(context, id, fail);
    const { chain } = context;
    const number = block.kind === "pending" ? (chain.latestNumber() ?? -1) + 1 : block.number;
    if (number === 0) throw refusal("The genesis block cannot be aborted");
    if (number <= (chain.l1AcceptedNumber() ?? -1)) {
      throw refusal("Block is accepted on L1: it cannot be aborted");
    }
    return devnetOf(context).abortFrom(number);
  },
});

function refusal(message: string): DevnetFault {
  return new DevnetFault(message, DEVNET_CODES.unsupported);
}
