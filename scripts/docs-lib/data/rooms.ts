import type { FLOORS } from "../../lint/floors.ts";

type RoomName = { [F in keyof typeof FLOORS]: (typeof FLOORS)[F][number] }[keyof typeof FLOORS];

/** Contents of a room of `src`, and related code that is in other rooms. */
interface RoomEntry {
  readonly owns: string;
  readonly doesNotOwn: string;
}

/** All rooms of `src` by name. */
export const ROOMS: Readonly<Record<RoomName, RoomEntry>> = {
  primitives: { owns: "felts, hex, bytes", doesNotOwn: "field arithmetic (`kernels/field`)" },
  errors: {
    owns: "the `AppError` families, `invariant`",
    doesNotOwn: "JSON-RPC codes (`api/rpc`)",
  },
  telemetry: {
    owns: "logger",
    doesNotOwn: "metrics (`metrics`)",
  },
  metrics: {
    owns: "declarations of metrics; only for the main thread, because they take long to load",
    doesNotOwn: "the metrics server (`app/node`)",
  },
  codec: {
    owns: "two-way JSON codecs, lossless JSON as a whole and as a stream, binary reader and writer",
    doesNotOwn: "shapes of the specification (`api/rpc`), the bundle's layout (`protocol/chain`)",
  },
  field: {
    owns: "WebAssembly: felts, hashes, the curve, with a typed facade",
    doesNotOwn: "meaning of the hashed data (`protocol/chain`)",
  },
  vm: {
    owns: "WebAssembly: the Cairo machine's instruction loop, hints and builtins",
    doesNotOwn: "syscalls (`engine/execution`)",
  },
  crypto: {
    owns: "hash and signature functions over the kernels",
    doesNotOwn: "keys (`app/node`)",
  },
  versions: {
    owns: "constants and rules of each protocol version, one file a version",
    doesNotOwn: "which version a chain runs (`protocol/config`)",
  },
  config: {
    owns: "chain configuration, presets, overrides",
    doesNotOwn: "the command line (`app/cli`)",
  },
  trie: {
    owns: "Patricia-Merkle tries and proofs, behind a store interface",
    doesNotOwn: "rows of nodes (`io/storage`)",
  },
  chain: {
    owns: "blocks, transactions, receipts, classes; their hashes and commitments; the bundle",
    doesNotOwn: "execution, JSON shapes",
  },
  state: {
    owns: "state readers, caches, overlays, diffs, pending state",
    doesNotOwn: "storage of state (`io/storage`)",
  },
  sierra: { owns: "compiling Sierra to CASM", doesNotOwn: "the child process (`app/node`)" },
  cairo: {
    owns: "running one entry point: program, memory, hints on the host",
    doesNotOwn: "syscalls, gas of transactions (`engine/execution`)",
  },
  execution: {
    owns: "transactions, syscalls, fees, block limits, calls, estimates",
    doesNotOwn: "disk, clock, order of transactions",
  },
  storage: {
    owns: "SQLite: schema, migrations, readers and writers, the folder's lock",
    doesNotOwn: "threads (`app/node`), what a block means",
  },
  processes: {
    owns: "whether the program is compiled; memory and processor time of its processes, and a watchdog for them",
    doesNotOwn: "starting and stopping them (`app/node`)",
  },
  objects: {
    owns: "an S3-compatible store: objects put only if absent, or only if unchanged",
    doesNotOwn: "its contents (`services/replication`, `services/snapshot`)",
  },
  http: {
    owns: "one request over HTTP and its response, complete or as a stream, within limits of size and time",
    doesNotOwn: "contents of requests, retries (`feeder`, `client`)",
  },
  folders: {
    owns: "files of a directory, of an address or of a store, read and written whole",
    doesNotOwn: "their contents (`services/snapshot`)",
  },
  feeder: {
    owns: "wire forms and client of the feeder gateway",
    doesNotOwn: "serving it (`api/gateway`)",
  },
  client: {
    owns: "client of another node's JSON-RPC: limits, wire forms",
    doesNotOwn: "serving it (`api/rpc`), verifying responses (`services/replay`)",
  },
  origin: {
    owns: "blocks and state of the network that a local chain forks from: requests, checks, cache",
    doesNotOwn: "the forked chain itself (`engine/state`), JSON-RPC forms (`io/client`)",
  },
  l1: {
    owns: "L1 prices, messages, core contract",
    doesNotOwn: "deploying on L1 (`app/bootstrap`)",
  },
  admission: {
    owns: "steps of a submission into the mempool; the mempool's order, limits and durability",
    doesNotOwn: "validation itself (`engine/execution`), threads (`app/node`)",
  },
  sequencer: {
    owns: "building, sealing and committing blocks, gas prices, genesis, schedule",
    doesNotOwn: "threads (`app/node`), rows (`io/storage`)",
  },
  replication: {
    owns: "the objects that sequencers of one chain share: bundles, leader election, the gate",
    doesNotOwn: "the store itself (`io/objects`), threads and roles (`app/node`)",
  },
  snapshot: {
    owns: "a chain at a block as files, written and read",
    doesNotOwn: "rows (`io/storage`), commands (`app/cli`)",
  },
  sync: {
    owns: "following another node block by block, over its gateway or from its published bundles",
    doesNotOwn: "the wire (`io/feeder`), the store (`io/objects`)",
  },
  "l1-watch": {
    owns: "prices, state updates and messages to L2 on L1, and their effects",
    doesNotOwn: "requests to L1 (`io/l1`), executing messages (`sequencer`)",
  },
  settlement: {
    owns: "state updates for the core contract, made from accepted blocks",
    doesNotOwn: "proofs of them",
  },
  maintenance: {
    owns: "verifying a database against everything that can be recomputed",
    doesNotOwn: "rows and files (`io/storage`), commands (`app/cli`)",
  },
  replay: {
    owns: "re-executing another node's block from proven responses, and naming the first difference",
    doesNotOwn: "the wire (`io/client`), execution (`engine/execution`)",
  },
  rpc: {
    owns: "methods, dispatch, HTTP, WebSocket and subscriptions, encoders of each specification version",
    doesNotOwn: "contents of responses: these come from readers and the engine",
  },
  gateway: {
    owns: "serving the feeder gateway and gateway",
    doesNotOwn: "JSON-RPC (`api/rpc`)",
  },
  "explorer-index": {
    owns: "what a block adds to the explorer's lists, and keeping these equal to the chain",
    doesNotOwn: "rows (`io/storage`), the lists as clients see them (`api/explorer`)",
  },
  explorer: {
    owns: "the page that shows a chain, and the data that JSON-RPC lacks for it",
    doesNotOwn: "computing this data (`services/explorer-index`)",
  },
  options: {
    owns: "the declaration of each option of a node, and the types of settings",
    doesNotOwn: "other commands, combining options (`app/cli`)",
  },
  bootstrap: {
    owns: "setting up a new chain on L1 and L2",
    doesNotOwn: "genesis (`services/sequencer`)",
  },
  bridge: {
    owns: "deposits and withdrawals of a user, and their files",
    doesNotOwn: "accounts and contracts of both sides (`app/bootstrap`)",
  },
  node: {
    owns: "wiring, threads, start and stop order, the data directory",
    doesNotOwn: "rules of any kind",
  },
  cli: {
    owns: "commands, help, completions, exit codes",
    doesNotOwn: "starting parts (`app/node`)",
  },
};
