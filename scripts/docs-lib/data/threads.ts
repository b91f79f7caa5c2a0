/** The threads of a node and its child process, with the parts that only they use. */
export const THREADS: readonly { readonly name: string; readonly owns: string }[] = [
  { name: "main", owns: "HTTP, WebSocket and subscriptions, metrics, point reads" },
  {
    name: "admission",
    owns: "the mempool and its database: validation on the pending state, durable receipt",
  },
  { name: "executor", owns: "the block being built; no disk" },
  {
    name: "committer",
    owns: "roots, hashes, signature, the only writing handle of the chain's database",
  },
  {
    name: "hashers",
    owns: "with more than two cores: a share of the committer's larger batches of hashes; no disk",
  },
  {
    name: "query pool",
    owns: "calls, estimates, whole blocks; a machine and a read-only handle each; clients take turns, long work never occupies the last thread",
  },
  {
    name: "sync",
    owns: "on a full node all requests to its source, the only writing handle of the chain's database",
  },
  {
    name: "verifier",
    owns: "on a full node reading and hashing of fetched blocks and classes, signatures; no disk",
  },
  {
    name: "reverter",
    owns: "the writing handle while the chain is reverted and the other threads are stopped",
  },
  { name: "compiler", owns: "a child process, so that a hostile class cannot crash the node" },
];
