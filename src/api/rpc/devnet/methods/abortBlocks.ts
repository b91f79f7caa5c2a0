import { OriginError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { required } from "../../method.ts";
import { type BlockId, notBefore, type ResolvedBlock, resolveBlock } from "../../block-id.ts";
import { type DevnetContext, devnetMethod, genesisNumber } from "../devnet-context.ts";
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
    const { chain, devnet } = context;
    const block = localBlock(context, id);
    if (block === undefined) throw new DevnetFault("No block found");
    const number = block.kind === "pending" ? (chain.latestNumber() ?? -1) + 1 : block.number;
    const oldest = chain.oldestBlock();
    if (oldest > 0 && number <= oldest) throw new DevnetFault(`${notBefore(oldest)}: it stays`);
    requireAboveFork(devnet, number);
    if (number === genesisNumber(devnet)) throw new DevnetFault("Genesis block can't be aborted");
    if (number <= (chain.l1AcceptedNumber() ?? -1)) {
      throw new DevnetFault("Block is accepted on L1: it cannot be aborted");
    }
    return devnet.abortFrom(number);
  },
});

/** Resolves a block; a hash that no local block has is not looked up at a fork's origin. */
function localBlock(context: DevnetContext, id: BlockId): ResolvedBlock | undefined {
  try {
    return resolveBlock(context, id);
  } catch (error) {
    const { fork } = context.devnet;
    if (!(error instanceof OriginError) || fork === null) throw error;
    throw new DevnetFault(`No block found above the fork block ${fork.blockNumber}`);
  }
}

function requireAboveFork({ fork }: DevnetContext["devnet"], number: number): void {
  if (fork === null || number > fork.blockNumber) return;
  throw new DevnetFault(
    `Block ${number} can't be aborted: it is a block of the forked network, and the chain begins after block ${fork.blockNumber}`,
  );
}
