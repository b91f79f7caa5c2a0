import { type BlockId, type ResolvedBlock, resolveBlock } from "../block-id.ts";
import type { SubmitClient } from "../transaction-submitter.ts";
import { repeatWhileMissing } from "../fork/repeat.ts";
import type { DevnetContext } from "./devnet-context.ts";
import { DevnetFault } from "./fault.ts";

/**
 * Resolves a block that a developer changes.
 *
 * @param change - what cannot be done with a block of a forked network, as a participle
 * @throws {DevnetFault} when the block does not exist, or is one of the forked network
 */
export async function localBlock(
  context: DevnetContext,
  id: BlockId,
  client: SubmitClient,
  change: string,
): Promise<ResolvedBlock> {
  const block = await repeatWhileMissing(context.fork, client, () => resolveBlock(context, id));
  if (block === undefined) throw new DevnetFault("No block found");
  const { fork } = context.devnet;
  if (fork === null || block.kind === "pending" || block.number > fork.blockNumber) return block;
  throw new DevnetFault(
    `Block ${block.number} can't be ${change}: it is a block of the forked network, and the chain begins after block ${fork.blockNumber}`,
  );
}
