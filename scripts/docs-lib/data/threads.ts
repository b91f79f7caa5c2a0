import type { PlannedKind } from "#app/node/threads/protocol.ts";

/** A thread of a node, or its child process. */
export interface ThreadRow {
  readonly name: string;
  /** Parts that only this thread uses. */
  readonly owns: string;
  /** Box in the picture of the architecture; omitted for threads that no role plans. */
  readonly box?: ThreadBox;
}

/** Box of a thread in the picture: kind, summary, and place in the grid of its role. */
export interface ThreadBox {
  readonly kind: PlannedKind;
  readonly summary: string;
  readonly column: number;
  readonly row: number;
}

/** The threads of a node and its child process, with the parts that only they use. */
export const THREADS: readonly ThreadRow[] = [
  { name: "main", owns: "HTTP, WebSocket and subscriptions, metrics, the log, point reads" },
  {
    name: "admission",
    owns: "the mempool and its database: validation on the pending state, durable receipt",
    box: { kind: "admission", summary: "the mempool and its database", column: 0, row: 0 },
  },
  {
    name: "validators",
    owns: "with `--admission-threads` above 1: signatures and validation for admission; no disk",
    box: {
      kind: "validator",
      summary: "optional: signatures and validation for admission",
      column: 0,
      row: 1,
    },
  },
  {
    name: "executor",
    owns: "the block being built; no disk",
    box: { kind: "executor", summary: "the block being built; no disk", column: 1, row: 0 },
  },
  {
    name: "committer",
    owns: "roots, hashes, signature, the only writing handle of the chain's database",
    box: {
      kind: "committer",
      summary: "roots, hashes, signature; writes the chain's database",
      column: 2,
      row: 0,
    },
  },
  {
    name: "hashers",
    owns: "with more than two cores: a share of the committer's larger batches of hashes; no disk",
  },
  {
    name: "query pool",
    owns: "calls, estimates, whole blocks; a machine and a read-only handle each; clients take turns, long work never occupies the last thread",
    box: {
      kind: "query",
      summary: "several: calls, estimates, whole blocks; reads the database",
      column: 2,
      row: 1,
    },
  },
  {
    name: "sync",
    owns: "on a full node all requests to its source, the only writing handle of the chain's database",
    box: {
      kind: "sync",
      summary: "requests to the source; writes the chain's database",
      column: 0.5,
      row: 0,
    },
  },
  {
    name: "verifier",
    owns: "on a full node reading and hashing of fetched blocks and classes, signatures; no disk",
    box: {
      kind: "verifier",
      summary: "hashes and signatures of fetched blocks; no disk",
      column: 0,
      row: 1,
    },
  },
  {
    name: "reverter",
    owns: "the writing handle while the chain is reverted and the other threads are stopped",
  },
  {
    name: "explorer",
    owns: "with `--explorer`: the explorer's lists and their database, filled behind the commits at a low priority",
  },
  { name: "compiler", owns: "a child process, so that a hostile class cannot crash the node" },
];
