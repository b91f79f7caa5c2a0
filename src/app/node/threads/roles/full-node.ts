import type { Role } from "./role.ts";

/** Follows a sequencer, verifies its blocks and serves reads; hands submissions on. */
export const FULL_NODE: Role = {
  name: "full node",
  threads: {
    // When sync speaks, everybody listens.
    start: [["query", "verifier"], ["sync"]],
    stop: [["sync"], ["query", "verifier"]],
    edges: [
      ["sync", "verifier"],
      ["sync", "query"],
    ],
    growth: { deltas: "sync", accepted: "sync" },
  },
  contexts: { main: ["main", "admission", "admin"], query: ["query"] },
  readiness: "in sync",
};
