import { EXPLORER_ACCESS_WIRES } from "./explorer-access.ts";
import { EXPLORER_INDEX_WIRES } from "./explorer-index.ts";
import { FORK_WIRES } from "./fork.ts";
import { GATEWAY_WIRES } from "./gateway.ts";
import { L1_WIRES } from "./l1.ts";
import { NODE_WIRES } from "./node.ts";
import { PART_WIRES } from "./parts.ts";
import { RPC_WIRES } from "./rpc.ts";
import { SERVICE_WIRES } from "./services.ts";
import { SYNC_WIRES } from "./sync.ts";
import { THREAD_WIRES } from "./threads.ts";
import type { Wire } from "./wire.ts";

export { isEndToEnd, type Wire } from "./wire.ts";

/** Broken wires; tests must notice each of them. */
export const WIRES: readonly Wire[] = [
  ...NODE_WIRES,
  ...PART_WIRES,
  ...THREAD_WIRES,
  ...RPC_WIRES,
  ...SERVICE_WIRES,
  ...GATEWAY_WIRES,
  ...SYNC_WIRES,
  ...L1_WIRES,
  ...FORK_WIRES,
  ...EXPLORER_INDEX_WIRES,
  ...EXPLORER_ACCESS_WIRES,
];
