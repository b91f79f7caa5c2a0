/** Terms of this program that other nodes do not have, or use differently; one line each. */
export const GLOSSARY: readonly { readonly word: string; readonly meaning: string }[] = [
  {
    word: "batch",
    meaning:
      "transactions that admission sends to the executor in one message, in the mempool's order",
  },
  {
    word: "bundle",
    meaning:
      "the canonical bytes of a block with everything that other nodes verify and store, and the inputs from which it can be rebuilt",
  },
  {
    word: "cache key",
    meaning: "key of a response that never changes; the response cache stores its text under it",
  },
  {
    word: "delta",
    meaning:
      "transactions and state changes that a batch added to the open block; sent to every reader of pending state",
  },
  {
    word: "draft",
    meaning: "a complete block that lacks what the committer computes: roots, commitments, hash",
  },
  {
    word: "early invoke",
    meaning:
      "an invoke that arrived before the transaction that deploys its sender; it waits a moment",
  },
  {
    word: "epoch",
    meaning: "number of changes of a chain's sequencer so far; stored with each block",
  },
  {
    word: "floor, room",
    meaning:
      "a layer and a module of `src`; imports go to lower floors, through the `index.ts` of a room",
  },
  {
    word: "grade",
    meaning:
      "record of the latest submissions of an account; a bad grade costs precedence, never the service",
  },
  {
    word: "growth",
    meaning: "deltas and accepted blocks, as messages of the threads that make them to all others",
  },
  {
    word: "level",
    meaning:
      "processor time that a sender's transactions took recently, in steps that double; lower levels go first",
  },
  {
    word: "machine",
    meaning: "a thread's Cairo machine: one instance of the WebAssembly kernel with its memory",
  },
  {
    word: "overlay",
    meaning: "the blocks above the accepted chain, as known to one thread",
  },
  {
    word: "pause",
    meaning:
      "delay before an account's next transaction is accepted, after transactions of it were executed but not included; it doubles each time",
  },
  {
    word: "position",
    meaning:
      "newest accepted block and pending delta that a thread has seen; responses of other threads wait for it",
  },
  {
    word: "preflight",
    meaning: "work of the main thread for a method that runs on another thread",
  },
  {
    word: "prevalidated",
    meaning:
      "a validation of admission that the executor reuses if all values that it read are unchanged",
  },
  {
    word: "quarantine",
    meaning:
      "transactions during which the process crashed: each is executed in a separate block until it passes or is refused",
  },
  {
    word: "reference engine",
    meaning:
      "blockifier, called by a small program; its output is the expected result of scenarios",
  },
  {
    word: "remote",
    meaning: "data from another thread, or from another node: only its form is checked at first",
  },
  {
    word: "slice",
    meaning: "the instructions that the Cairo machine runs before it checks its budget again",
  },
  {
    word: "witness",
    meaning: "the proven part of a state that a replayed block reads",
  },
  {
    word: "world",
    meaning: "in tests, a service with fakes for all its dependencies",
  },
];
