import { hexFromFelt } from "#base/primitives/index.ts";
import { required } from "../../method.ts";
import { notBefore } from "../../block-id.ts";
import { devnetMethod, genesisNumber } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";
import { localBlock } from "../local-block.ts";

/** JSON-RPC method `devnet_abortBlocks`: reverts a block and all after it, newest first. */
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
  async handler(context, { starting_block_id: id }, _fail, client) {
    const { chain, devnet } = context;
    const block = await localBlock(context, id, client, "aborted");
    const number = block.kind === "pending" ? (chain.latestNumber() ?? -1) + 1 : block.number;
    const oldest = chain.oldestBlock();
    if (oldest > 0 && number <= oldest) throw new DevnetFault(`${notBefore(oldest)}: it stays`);
    if (number === genesisNumber(devnet)) throw new DevnetFault("Genesis block can't be aborted");
    if (number <= (chain.l1AcceptedNumber() ?? -1)) {
      throw new DevnetFault("Block is accepted on L1: it cannot be aborted");
    }
    return devnet.abortFrom(number);
  },
});
