import { hexFromFelt } from "#base/primitives/index.ts";
import { required } from "../../method.ts";
import { notBefore, resolveBlock } from "../../block-id.ts";
import { devnetMethod } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";

/** devnet_abortBlocks. */
export const abortBlocks = devnetMethod({
  name: "devnet_abortBlocks",
  family: "write",
  runsOn: "main",
  summary: "Reverts a block and all after it, newest first.",
  params: (spec) => ({ starting_block_id: required(spec.blockId) }),
  result: () => (hashes: readonly bigint[]) => ({
    aborted: hashes.map((hash) => hexFromFelt(hash)),
  }),
  errors: [],
  handler(context, { starting_block_id: id }) {
    const block = resolveBlock(context, id);
    if (block === undefined) throw new DevnetFault("No block found");
    const { chain } = context;
    const number = block.kind === "pending" ? (chain.latestNumber() ?? -1) + 1 : block.number;
    const oldest = chain.oldestBlock();
    if (oldest > 0 && number <= oldest) throw new DevnetFault(`${notBefore(oldest)}: it stays`);
    if (number === 0) throw new DevnetFault("Genesis block can't be aborted");
    if (number <= (chain.l1AcceptedNumber() ?? -1)) {
      throw new DevnetFault("Block is accepted on L1: it cannot be aborted");
    }
    return context.devnet.abortFrom(number);
  },
});
