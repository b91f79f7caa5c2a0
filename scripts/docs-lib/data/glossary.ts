/** Words of this program that other nodes do not have, or use otherwise; one line each. */
export const GLOSSARY: readonly { readonly word: string; readonly meaning: string }[] = [
  {
    word: "batch",
    meaning: "transactions that admission hands to the executor at once, in the mempool's order",
  },
  {
    word: "bundle",
    meaning:
      "the canonical bytes of a block with all that others verify and store, and the inputs from which it can be built again",
  },
  {
    word: "cache key",
    meaning:
      "names an answer of a method that never changes; the response cache keeps its text under it",
  },
  {
    word: "delta",
    meaning:
      "what a batch added to the open block and changed; sent to every reader of pending state",
  },
  {
    word: "draft",
    meaning: "a complete block that lacks what the committer computes: roots, commitments, hash",
  },
  {
    word: "early invoke",
    meaning:
      "an invoke that came before the transaction that deploys its sender; it waits a moment",
  },
  {
    word: "epoch",
    meaning: "counts the changes of a chain's sequencer, from 0; stored with each block",
  },
  {
    word: "floor, room",
    meaning:
      "a layer and a module of `src`; imports go to lower floors, through the `index.ts` of a room",
  },
  {
    word: "grade",
    meaning:
      "how the latest submissions in an account's name ended; a bad one costs it precedence, never the service",
  },
  {
    word: "growth",
    meaning: "deltas and accepted blocks, as the threads that make them tell the others",
  },
  {
    word: "level",
    meaning:
      "processor time that a sender's transactions took lately, in steps that double; lower levels go first",
  },
  {
    word: "machine",
    meaning: "a thread's Cairo machine: one instance of the WebAssembly kernel with its memory",
  },
  {
    word: "overlay",
    meaning: "the blocks above the accepted chain as one thread knows them",
  },
  {
    word: "pause",
    meaning:
      "the time before an account's next transaction is taken, after others of it were executed in vain; it doubles each time",
  },
  {
    word: "position",
    meaning:
      "how much of accepted and pending chain a thread has seen; an answer of another thread waits for it",
  },
  {
    word: "preflight",
    meaning: "what the main thread does for a method that runs on another thread",
  },
  {
    word: "prevalidated",
    meaning:
      "a validation of admission that the executor takes over when all that it read is still so",
  },
  {
    word: "quarantine",
    meaning:
      "transactions during which the process crashed: each is executed in a block of its own until it passes or is refused",
  },
  {
    word: "reference engine",
    meaning: "blockifier behind a small program; expected results of scenarios are its output",
  },
  {
    word: "remote",
    meaning: "said by another thread, or by another node: then only its form is checked at first",
  },
  {
    word: "slice",
    meaning: "the instructions that the Cairo machine runs before it looks at its budget again",
  },
  {
    word: "witness",
    meaning: "the proven part of a state that a replayed block reads",
  },
  {
    word: "world",
    meaning: "in tests, a service with stand-ins for everything around it",
  },
];
