import { hexFromFelt } from "#base/primitives/index.ts";
import { method, required } from "../../method.ts";
import { blockOrFail } from "../../methods/shared.ts";
import { devnetOf } from "../devnet-context.ts";
import { DEVNET_CODES, DevnetFault } from "../fault.ts";

/** Blocks whose hashes one answer lists. */
const MAX_BLOCKS = 100_000;

/** devnet_acceptOnL1. */
export const acceptOnL1 = method({
  name: "devnet_acceptOnL1",
  family: "write",
  runsOn: "main",
  summary: "Makes a block and all before it accepted on L1.",
  params: (spec) => ({ starting_block_id: required(spec.blockId) }),
  result: () => (accepted: string[]) => ({ accepted }),
  errors: ["BLOCK_NOT_FOUND"],
  async handler(context, { starting_block_id: id }, fail) {
    const block = blockOrFail(context, id, fail);
    if (block.kind === "pending") {
      throw refusal("Pre-confirmed block cannot be accepted on L1");
    }
    const { chain } = context;
    const last = chain.l1AcceptedNumber() ?? -1;
    const { number } = block;
    if (number <= last) throw refusal("Block already accepted on L1");
    if (number - last > MAX_BLOCKS) {
      throw refusal(
        `at most ${MAX_BLOCKS} blocks at a time: accept block ${last + MAX_BLOCKS} first`,
      );
    }
    await devnetOf(context).acceptOnL1(number);
    const accepted: string[] = [];
    for (let each = number; each > last; each--) {
      const header = chain.header(each);
      if (header !== undefined) accepted.push(hexFromFelt(header.hash));
    }
    return accepted;
  },
});

function refusal(message: string): DevnetFault {
  return new DevnetFault(message, DEVNET_CODES.unsupported);
}
