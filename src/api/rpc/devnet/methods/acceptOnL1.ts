import { hexFromFelt } from "#base/primitives/index.ts";
import { required } from "../../method.ts";
import { devnetMethod, genesisNumber } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";
import { localBlock } from "../local-block.ts";

/** Maximum blocks per request: its response lists their hashes. */
const MAX_BLOCKS = 100_000;

/** JSON-RPC method `devnet_acceptOnL1`: marks a block and all before it as accepted on L1. */
export const acceptOnL1 = devnetMethod({
  name: "devnet_acceptOnL1",
  family: "write",
  runsOn: "main",
  summary: "Marks a block and all before it as accepted on L1.",
  params: (spec) => ({ starting_block_id: required(spec.blockId) }),
  result: () => (accepted: string[]) => ({ accepted }),
  errors: [],
  async handler(context, { starting_block_id: id }, _fail, client) {
    const block = await localBlock(context, id, client, "accepted on L1");
    if (block.kind === "pending") {
      throw new DevnetFault("Pre-confirmed block cannot be accepted on L1");
    }
    const { chain } = context;
    const last = chain.l1AcceptedNumber() ?? genesisNumber(context.devnet) - 1;
    const { number } = block;
    if (number <= last) throw new DevnetFault("Block already accepted on L1");
    if (number - last > MAX_BLOCKS) {
      throw new DevnetFault(
        `at most ${MAX_BLOCKS} blocks at a time: accept block ${last + MAX_BLOCKS} first`,
      );
    }
    await context.devnet.acceptOnL1(number);
    const accepted: string[] = [];
    for (let each = number; each > last; each--) {
      const header = chain.header(each);
      if (header !== undefined) accepted.push(hexFromFelt(header.hash));
    }
    return accepted;
  },
});
