import type { Group } from "#test/bench/compare/rows.ts";

/** Tables of the page, in their order. */
export const TOPICS = ["Chain", "Engine", "RPC", "Storage"] as const;

/** A table of the page. */
export type Topic = (typeof TOPICS)[number];

/** Table of a group of the comparison, and the bottleneck of each row. */
export interface Compared {
  readonly topic: Topic;
  readonly group: Group;
  /** Bottleneck of the rows whose names have the key as prefix: the longest matching key counts. */
  readonly bounds: Readonly<Record<string, string>>;
}

/** Groups of `scripts/bench-compare` with their tables. */
export const COMPARED: readonly Compared[] = [
  {
    topic: "Chain",
    group: "start",
    bounds: {
      "": "loading the program, starting its threads, the genesis block",
      "start-": "the heaps of six threads and their kernels",
    },
  },
  {
    topic: "Chain",
    group: "transfers",
    bounds: {
      "": "the processor: validation, execution and roots of each transfer, on cores that the client shares",
      cold: "the processor, also for code that is not compiled yet",
      first: "code that runs for the first time, while the node warms up",
      alone: "hashes of four tries, a flush of the disk, and messages between four threads",
      eight: "the block in progress when a transfer arrives",
      processor:
        "signatures and hashes in admission, hashes of tries and commitments in the committer",
      "receipt-eight": "a flush of the disk for each group of transfers",
      "receipt-processor": "signatures and hashes",
      "anonymous-": "heaps of the threads; caches of bounded size",
      "resident-": "the same, and pages of the database that are mapped",
      disk: "nodes of tries: two tries change with each fresh recipient",
    },
  },
  {
    topic: "Chain",
    group: "memory",
    bounds: {
      "": "heaps of the threads; caches of bounded size",
      "resident-": "the same, and pages of the database that are mapped",
      rate: "the processor",
      disk: "nodes of tries",
    },
  },
  {
    topic: "Engine",
    group: "calls",
    bounds: {
      "": "the interpreter",
      "call-pedersen": "multiplications in the field",
      "call-poseidon": "multiplications in the field",
      "call-keccak": "the interpreter, and permutations in the kernel",
      "call-secp256k1": "multiplications of points of 256-bit curves",
      "call-sha256": "the interpreter, and the compression function in the kernel",
    },
  },
  {
    topic: "RPC",
    group: "reads",
    bounds: {
      "": "the main thread: reading and writing of sockets",
      "read-bare": "only sockets, and the client, which takes a whole core: no row can be faster",
      "read-call": "query threads: the engine, on cores that the client shares",
      "p99-": "the main thread, with transfers in parallel on two cores",
    },
  },
];

/** Prefix of the rows that belong to the table of storage, whatever their group. */
export const STORAGE_ROWS = "disk";

/** A figure with the command that prints it. */
export interface Figure {
  readonly topic: Topic;
  readonly what: string;
  readonly figure: string;
  /** Figure of the nearest comparable program; empty if none exists. */
  readonly peer: string;
  readonly bound: string;
  /** A script with its arguments. */
  readonly command: string;
}

/** Where {@link FIGURES} were measured. */
export const MACHINE =
  "two cores of an Intel Xeon at 2.5 GHz or an AMD EPYC (virtual machines), Linux x86-64, Bun 1.4.5, the client on the same machine";
