import type { Role } from "./role.ts";

/**
 * {@link Role} of a full node: follows a sequencer, verifies its blocks and serves reads; forwards
 * submissions.
 */
export const FULL_NODE: Role = {
  name: "full node",
  threads: {
    // Sync starts last, so that all receivers of its messages are running.
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
