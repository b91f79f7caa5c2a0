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

/** Rooms by floor, the lowest first, with the contents of each and what it excludes. */
export function roomTable(): string {
  const rows = rooms().map(({ floor, name }) => {
    const { owns, doesNotOwn } = ROOMS[name as keyof typeof ROOMS];
    return [code(floor), code(name), owns, doesNotOwn];
  });
  return table(["floor", "room", "owns", "does not own"], rows);
}

/** The kinds of threads of each stage. */
const stages = (order: Role["threads"]["start"]): string =>
  order.map((kinds) => kinds.map(code).join(", ")).join("; then ");

/** The roles of a node. */
function roleTable(): string {
  const rows = ROLES.map(({ name, threads, contexts, readiness }) => [
    name,
    stages(threads.start),
    stages(threads.stop),
    threads.edges.map(([from, to]) => `${code(from)} -> ${code(to)}`).join(", "),
    contexts.main.map(code).join(", "),
    readiness,
  ]);
  const head = [
    "role",
    "starts",
    "stops",
    "connections in addition to those of main",
    "contexts on main",
  ];
  return table([...head, "ready when"], rows);
}

/** Structure of the program. */
export const architecturePage: Page = {
  file: "architecture.md",
  title: "Architecture",
  from: "scripts/lint/floors.ts and scripts/docs-lib/data",
  body: () =>
    parts(
      "A transaction passes the program in one direction. `api/rpc` decodes it. `services/admission` hashes it, and orders it once `engine/execution` has validated it. `services/sequencer` puts it into a block. `protocol/trie` and `protocol/chain` compute roots and hashes of the block's changes, `io/storage` commits them, and `api/rpc` reads them back. Building and committing run on two threads, so that block N+1 is executed while block N is hashed and written. No part of a block is shown as accepted before its commit has returned.",
      "The Cairo machine is an interpreter in WebAssembly, written in AssemblyScript like the field arithmetic and the hashes. Both own their data, so that calls between host and kernel are rare. Protocol versions are data: there is one engine, and a file of constants and rules per version.",
      "![Floors and rooms of appchain](images/architecture.svg)",
      "An arrow points from a room to one that it imports. Arrows that follow from others are omitted: where `a` imports `b` and `b` imports `c`, there is no arrow from `a` to `c`. `bun scripts/docs.ts` draws the picture from the imports of the code; the linter refuses imports upwards. [A record](decisions/rooms-by-part.md) compares this layout of the node with others.",
      "## Threads",
      "![Threads of appchain](images/threads.svg)",
      "An arrow is a port between two threads of a role (`src/app/node/threads/roles`).",
      table(
        ["thread", "owns"],
        THREADS.map(({ name, owns }) => [name, owns]),
      ),
      "If a thread dies, the node stops with a message and exit code 1. All received and accepted transactions are on disk by then.",
      "## Roles",
      "A role is a value (`src/app/node/threads/roles`): a part that it does not name is neither started nor connected nor served. `src/app/node/node.ts` assembles a node from its role. When the chain is reverted or the role changes, all threads stop and restart from the stored data, while ports, connections and subscriptions stay open (`ActiveRole`). `services/replication` (`Leadership`) decides whether a standby becomes the sequencer, and `src/app/node/replication` carries that out.",
      roleTable(),
      "## Floors and rooms",
      "A room is a folder of `src`. It imports rooms of lower floors, and those listed before it on its own floor, and only their `index.ts`; the linter enforces both.",
      roomTable(),
      `The folders of \`src/app/node\` have an order as well, from the lowest up: ${NODE_ORDER.map(code).join(", ")}. The files next to them assemble a node.`,
      "## Glossary",
      "Terms that other nodes do not have, or use differently; all other terms are those of Starknet's specifications and nodes.",
      table(
        ["word", "meaning"],
        GLOSSARY.map(({ word, meaning }) => [word, meaning]),
      ),
    ),
};
