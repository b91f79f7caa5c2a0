import { randomBytes } from "node:crypto";
import { createChainReader, createChainWriter } from "#io/storage/index.ts";
import { writeChain } from "../storage/folder/write-chain.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Key of the sequencer's instance id in a chain's database. */
const INSTANCE_KEY = "sequencer-instance";

/** Length of an instance id: enough random bytes to be unique. */
const INSTANCE_BYTES = 16;

/**
 * Returns the id that identifies the sequencer of a data directory across restarts: 32 hex digits, created
 * once. No thread may have the directory's database open for writing.
 *
 * @throws {StorageError} when the database cannot be read or written
 */
export function storedInstance(setup: Pick<NodeSetup, "files" | "config">): Promise<string> {
  return writeChain(setup, "full", (database) => {
    const kept = createChainReader(database).value(INSTANCE_KEY);
    if (kept?.length === INSTANCE_BYTES) return Buffer.from(kept).toString("hex");
    const made = randomBytes(INSTANCE_BYTES);
    createChainWriter(database).putValue(INSTANCE_KEY, made);
    return made.toString("hex");
  });
}
