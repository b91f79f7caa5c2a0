import { randomBytes } from "node:crypto";
import { createChainReader, createChainWriter } from "#io/storage/index.ts";
import { writeChain } from "../storage/folder/write-chain.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Where a chain's database keeps what recognizes the sequencer of its data directory. */
const INSTANCE_KEY = "sequencer-instance";

/** Random bytes of an instance: two are never the same. */
const INSTANCE_BYTES = 16;

/**
 * What recognizes the sequencer of a data directory through its restarts: 32 hex digits, made once. Nobody
 * has the directory's database open for writing.
 *
 * @throws {StorageError} when the database cannot be read or written
 */
export function keptInstance(setup: Pick<NodeSetup, "files" | "config">): Promise<string> {
  return writeChain(setup, "full", (database) => {
    const kept = createChainReader(database).value(INSTANCE_KEY);
    if (kept?.length === INSTANCE_BYTES) return Buffer.from(kept).toString("hex");
    const made = randomBytes(INSTANCE_BYTES);
    createChainWriter(database).putValue(INSTANCE_KEY, made);
    return made.toString("hex");
  });
}
