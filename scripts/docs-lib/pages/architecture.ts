import { existsSync } from "node:fs";
import { join } from "node:path";
import { rooms } from "../../lint/floors.ts";
import { THREADS } from "../data/threads.ts";
import { ROOMS } from "../data/rooms.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

const SOURCES = join(import.meta.dir, "../../../src");

/** Rooms by floor, the lowest first, with what belongs into each and what does not. */
export function roomTable(): string {
  const rows = rooms().map(({ floor, name, path }) => {
    const { owns, doesNotOwn } = ROOMS[name as keyof typeof ROOMS];
    const missing = existsSync(join(SOURCES, path)) ? "" : " (not built yet)";
    return [code(floor), `${code(name)}${missing}`, owns, doesNotOwn];
  });
  return table(["floor", "room", "owns", "does not own"], rows);
}

/** What the program is made of. */
export const architecturePage: Page = {
  file: "architecture.md",
  title: "Architecture",
  from: "scripts/lint/floors.ts and scripts/docs-lib/data",
  body: () =>
    parts(
      "A transaction travels one way: `api/rpc` decodes it, `services/admission` hashes it and orders it once `engine/execution` has validated it, `services/sequencer` puts it into a block, `protocol/trie` and `protocol/chain` turn the block's changes into roots and hashes, `io/storage` commits, and `api/rpc` reads it back. Building and committing are two threads, so that block N+1 is executed while block N is hashed and written. Nothing of a block is shown as accepted before its commit has returned.",
      "The Cairo machine is an interpreter in WebAssembly, written in AssemblyScript like the field arithmetic and the hashes; both own their data, and the host crosses over rarely. Protocol versions are data: one engine, a file of constants and rules per version.",
      "## Threads",
      table(
        ["thread", "owns"],
        THREADS.map(({ name, owns }) => [name, owns]),
      ),
      "## Floors and rooms",
      "A room is a folder of `src`. It imports rooms of lower floors and those that stand before it on its own floor, and only their `index.ts`; the linter enforces both.",
      roomTable(),
    ),
};
