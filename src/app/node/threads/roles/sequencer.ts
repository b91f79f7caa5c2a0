import type { Role } from "./role.ts";

/** Takes transactions and makes blocks. */
export const SEQUENCER: Role = {
  name: "sequencer",
  threads: {
    // When the executor speaks, everybody listens.
    start: [["committer", "admission", "validator", "query"], ["executor"]],
    stop: [["executor"], ["committer", "admission", "validator", "query"]],
    edges: [
      ["admission", "executor"],
      ["executor", "committer"],
      ["committer", "admission"],
      ["validator", "admission"],
      ["executor", "validator"],
      ["committer", "validator"],
      ["executor", "query"],
      ["committer", "query"],
    ],
    growth: { deltas: "executor", accepted: "committer" },
  },
  contexts: { main: ["main", "admission", "admin"], query: ["query"] },
  readiness: "serving",
};
