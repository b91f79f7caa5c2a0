import type { Role } from "./role.ts";

/** {@link Role} of a sequencer: accepts transactions and produces blocks. */
export const SEQUENCER: Role = {
  name: "sequencer",
  threads: {
    // The executor starts last, so that all receivers of its messages are running.
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
