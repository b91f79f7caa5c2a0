/**
 * Floors of `src` from the lowest up, and the rooms of each floor in the order in which they may use each
 * other. A room imports rooms of lower floors, and the rooms before it on its floor.
 */
export const FLOORS = {
  base: ["primitives", "errors", "telemetry", "metrics", "codec"],
  kernels: ["field", "vm"],
  protocol: ["crypto", "versions", "config", "trie", "chain"],
  engine: ["state", "sierra", "cairo", "execution"],
  io: ["storage", "http", "processes", "objects", "folders", "feeder", "client", "origin", "l1"],
  services: [
    "admission",
    "sequencer",
    "replay",
    "replication",
    "sync",
    "l1-watch",
    "settlement",
    "snapshot",
    "maintenance",
    "explorer-index",
  ],
  api: ["rpc", "gateway", "explorer"],
  app: ["options", "bootstrap", "bridge", "node", "cli"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Modules that rooms above their own may import directly, because a process needs nothing else of the room: the
 * room's index would load all of it.
 */
export const PROCESS_ENTRIES = ["app/node/compiler/run-child.ts"] as const;

/**
 * The folders of `src/app/node` from the lowest up: each uses those before it. Files next to them assemble
 * everything; a thread's entry (`NAME.thread.ts`) may use every folder.
 */
export const NODE_ORDER = [
  "setup",
  "metrics",
  "threads",
  "fork",
  "storage",
  "compiler",
  "admission",
  "query",
  "l1",
  "production",
  "sync",
  "gateway",
  "explorer",
  "devnet",
  "admin",
  "replication",
] as const;

/** Name of a floor. */
export type Floor = keyof typeof FLOORS;

/** A room with the rooms that it may import, all as `floor/room`. */
export interface Room {
  readonly floor: Floor;
  readonly name: string;
  readonly path: string;
  readonly allowed: readonly string[];
}

/** Every room, the lowest first. */
export function rooms(): readonly Room[] {
  const below: string[] = [];
  const found: Room[] = [];
  for (const [floor, names] of Object.entries(FLOORS)) {
    for (const name of names) {
      const path = `${floor}/${name}`;
      found.push({ floor: floor as Floor, name, path, allowed: [...below] });
      below.push(path);
    }
  }
  return found;
}
