import { existsSync } from "node:fs";
import { join } from "node:path";
import { DEVNET } from "#app/node/threads/roles/devnet.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import type { Role } from "#app/node/threads/roles/role.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STANDBY } from "#app/node/threads/roles/standby.ts";
import { NODE_ORDER, rooms } from "../../lint/floors.ts";
import { GLOSSARY } from "../data/glossary.ts";
import { THREADS } from "../data/threads.ts";
import { ROOMS } from "../data/rooms.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

const ROLES: readonly Role[] = [SEQUENCER, DEVNET, FULL_NODE, STANDBY];
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

/** The kinds of threads of each stage. */
const stages = (order: Role["threads"]["start"]): string =>
  order.map((kinds) => kinds.map(code).join(", ")).join("; then ");

/** What a node can be. */
function roleTable(): string {
  const rows = ROLES.map(({ name, threads, contexts, readiness }) => [
    name,
    stages(threads.start),
    stages(threads.stop),
    threads.edges.map(([from, to]) => `${code(from)} -> ${code(to)}`).join(", "),
    contexts.main.map(code).join(", "),
    readiness,
  ]);
  const head = ["role", "starts", "stops", "connections beside those of main", "contexts on main"];
  return table([...head, "ready when"], rows);
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
      "A thread dies, the node stops: with a message, and with exit code 1. What was received and accepted is on disk by then.",
      "## Roles",
      "A role is a value (`src/app/node/threads/roles`): what it does not name is neither started nor connected nor served. `src/app/node/node.ts` puts a node together over its role. When the chain is reverted or the role changes, all threads stop and begin anew with what is stored, while ports, connections and subscriptions stay (`ActiveRole`). Whether a standby becomes the sequencer is decided in `services/replication` (`Leadership`), and done in `src/app/node/replication`.",
      roleTable(),
      "## Floors and rooms",
      "A room is a folder of `src`. It imports rooms of lower floors and those that stand before it on its own floor, and only their `index.ts`; the linter enforces both.",
      roomTable(),
      `The folders of \`src/app/node\` have an order as well, from the lowest up: ${NODE_ORDER.map(code).join(", ")}. Files beside them put a node together.`,
      "## Glossary",
      "Words that other nodes do not have, or use otherwise; the rest are those of Starknet's specifications and nodes.",
      table(
        ["word", "meaning"],
        GLOSSARY.map(({ word, meaning }) => [word, meaning]),
      ),
    ),
};
