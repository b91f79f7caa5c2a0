import { rmSync } from "node:fs";
import { createChainWriter, type RevertProgress } from "#io/storage/index.ts";
import { DATABASE_SUFFIXES } from "./own-files.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import type { RevertOrder } from "../../threads/revert-messages.ts";
import { writeChain } from "./write-chain.ts";

/**
 * Reverts the stored chain of a data directory that this process has locked and nobody writes to.
 *
 * @throws {StorageError} when the chain cannot be reverted to that block; nothing was changed then
 */
export async function revertStored(
  setup: Pick<NodeSetup, "files" | "config">,
  { blockNumber, keepReceived, keepL1Accepted }: RevertOrder,
  onProgress: (progress: RevertProgress) => void,
): Promise<void> {
  await writeChain(setup, "full", (database) => {
    const writer = createChainWriter(database);
    writer.revertTo(blockNumber, onProgress);
    if (!keepL1Accepted) writer.forgetL1Accepted();
    database.checkpoint();
  });
  if (keepReceived) return;
  for (const suffix of DATABASE_SUFFIXES)
    rmSync(setup.files.mempoolDatabase + suffix, { force: true });
}
