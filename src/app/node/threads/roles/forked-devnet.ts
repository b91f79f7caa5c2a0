import { DEVNET } from "./devnet.ts";
import type { Role } from "./role.ts";

/** {@link Role} of a development sequencer whose chain continues a block of another network. */
export const FORKED_DEVNET: Role = {
  ...DEVNET,
  threads: {
    ...DEVNET.threads,
    // Other threads read the origin while they start and stop.
    start: [["fork"], ...DEVNET.threads.start],
    stop: [...DEVNET.threads.stop, ["fork"]],
    edges: [
      ...DEVNET.threads.edges,
      ["admission", "fork"],
      ["validator", "fork"],
      ["executor", "fork"],
      ["query", "fork"],
    ],
  },
};
