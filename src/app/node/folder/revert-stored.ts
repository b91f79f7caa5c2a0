import { rmSync } from "node:fs";
import { createChainWriter, openDatabase, type RevertProgress } from "#io/storage/index.ts";
import { BESIDE } from "./own-files.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** What is reverted, and how far. */
export interface RevertOrder {
  readonly blockNumber: number;
  /** Otherwise what waits for a block is deleted, too. */
  readonly keepReceived: boolean;
  /** Otherwise no block is accepted on L1 any more: the chain begins anew. */
  readonly keepL1Accepted: boolean;
}

/**
 * Reverts the stored chain of a data directory that this process has locked and nobody writes to.
 *
 * @throws {StorageError} when the chain cannot be reverted so far; nothing was changed then
 */
export async function revertStored(
  { files, config }: Pick<NodeSetup, "files" | "config">,
  { blockNumber, keepReceived, keepL1Accepted }: RevertOrder,
  onProgress: (progress: RevertProgress) => void,
): Promise<void> {
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  try {
    const writer = createChainWriter(database);
    writer.revertTo(blockNumber, onProgress);
    if (!keepL1Accepted) writer.forgetL1Accepted();
    database.checkpoint();
  } finally {
    database.close();
  }
  if (keepReceived) return;
  for (const suffix of BESIDE) rmSync(files.mempoolDatabase + suffix, { force: true });
}
