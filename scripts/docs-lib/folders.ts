/** What a folder of `src` is for, and what is looked for there in vain. */
interface FolderEntry {
  readonly owns: string;
  readonly doesNotOwn: string;
}

/** The rooms of the house, by folder of `src`. */
export const FOLDERS: Readonly<Record<string, FolderEntry>> = {
  primitives: { owns: "felts, hex, bytes", doesNotOwn: "field arithmetic (`kernels`)" },
  errors: { owns: "the `AppError` families, `invariant`", doesNotOwn: "JSON-RPC codes (`rpc`)" },
  telemetry: { owns: "logger, declarations of metrics", doesNotOwn: "the metrics server (`node`)" },
  codec: {
    owns: "two-way JSON codecs, lossless JSON, binary reader and writer",
    doesNotOwn: "shapes of the specification (`rpc`), the bundle's layout (`chain`)",
  },
  kernels: {
    owns: "WebAssembly: field, hashes, curve; the Cairo VM's instruction loop, hints and builtins",
    doesNotOwn: "meaning of what is hashed (`chain`), syscalls (`execution`)",
  },
  crypto: { owns: "hash and signature functions over the kernels", doesNotOwn: "keys (`node`)" },
  config: {
    owns: "chain configuration, presets, overrides, protocol constants",
    doesNotOwn: "the command line (`cli`)",
  },
  trie: {
    owns: "Patricia-Merkle tries and proofs, behind a store interface",
    doesNotOwn: "rows of nodes (`storage`)",
  },
  chain: {
    owns: "blocks, transactions, receipts, classes; their hashes and commitments; the bundle",
    doesNotOwn: "execution, JSON shapes",
  },
  cairo: {
    owns: "running one entry point: program, memory, hints on the host",
    doesNotOwn: "syscalls, gas of transactions (`execution`)",
  },
  sierra: { owns: "compiling Sierra to CASM", doesNotOwn: "the child process (`node`)" },
  state: {
    owns: "state readers, caches, overlays, diffs, pending state",
    doesNotOwn: "where state is kept (`storage`)",
  },
  feeder: {
    owns: "wire forms and client of the feeder gateway",
    doesNotOwn: "serving it (`gateway`)",
  },
  execution: {
    owns: "transactions, syscalls, fees, block limits, calls, estimates",
    doesNotOwn: "disk, clock, order of transactions",
  },
  storage: {
    owns: "SQLite: schema, migrations, readers and writers, the folder's lock",
    doesNotOwn: "threads (`node`), what a block means",
  },
  mempool: {
    owns: "order, limits, replacement and lifetime of waiting transactions",
    doesNotOwn: "validation (`execution`), durability (`storage`)",
  },
  l1: { owns: "L1 prices, messages, core contract", doesNotOwn: "deploying on L1 (`bootstrap`)" },
  sequencer: {
    owns: "building and sealing blocks, gas prices, genesis, schedule",
    doesNotOwn: "threads and commits (`node`)",
  },
  sync: { owns: "following another node block by block", doesNotOwn: "the wire (`feeder`)" },
  rpc: {
    owns: "methods, dispatch, HTTP, encoders of each specification version",
    doesNotOwn: "answers' content: it asks readers and `execution`",
  },
  gateway: { owns: "serving the feeder gateway and gateway", doesNotOwn: "JSON-RPC (`rpc`)" },
  bootstrap: { owns: "setting up a new chain on L1 and L2", doesNotOwn: "genesis (`sequencer`)" },
  node: {
    owns: "wiring, threads, start and stop order, the data directory",
    doesNotOwn: "rules of any kind",
  },
  cli: { owns: "commands, options, help, exit codes", doesNotOwn: "starting parts (`node`)" },
};
