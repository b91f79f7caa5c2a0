import type { Role } from "./role.ts";
import { SEQUENCER } from "./sequencer.ts";

/** {@link Role} of a sequencer with development features. */
export const DEVNET: Role = {
  ...SEQUENCER,
  name: "devnet",
  contexts: { main: ["main", "admission", "devnet", "admin"], query: ["query"] },
};
