/**
 * Replay: blocks of a node are executed again, out of nothing but what the node answers, and compared.
 *
 * What an answer is, in this order; `Replayer` moves it on:
 *
 * - *told*: block, traces with what they read, state update, classes. Nothing of it is believed.
 * - *bound*: it belongs to this block. Hashes of headers, transactions and classes are made again;
 *   headers are linked by parent hashes (`HeaderChain`), so that none is of another chain.
 * - *proven*: `StateWitness` has led each value that is read, and each that changes, to the state root of
 *   the block before by the hashes of the proof's nodes. Classes are compiled here.
 * - *executed*: on proven values alone (`WitnessReader`). What a transaction reads beyond them is a
 *   difference.
 * - *agreed*: receipts, traces, state diff, state root, commitments and block hash are the same.
 *
 * The first thing that is not as told ends it with a `Difference`: the field, ours, theirs, the
 * transaction. That the node does not answer, or refuses, is an error and no difference.
 *
 * What is believed: the header of the block before, and with `trustsCasm` the hints of code that is taken
 * from the node, which no hash covers; `ReplayOutcome` names its classes.
 *
 * What survives: nothing is written anywhere. Between two blocks 24 headers and 64 classes stay in
 * memory. A stop takes effect between two transactions, or while an answer is awaited. Where the node's
 * chain is reverted in the middle, answers about two chains do not fit: that is a difference.
 *
 * Bounds: answers have a size and a time (`io/client`). Traces alone are decoded while they arrive and may
 * be of any length: of lists of more than 1024 felts only digests are kept, and what is kept of a block's
 * traces takes at most 512 MiB. Our own trace of a transaction takes at most 1 GiB. Proofs have no more
 * nodes than their keys can have and `maxProofKeys` keys at a time, compilers their memory and time. Classes
 * and transactions are executed within the limits of the block's protocol version.
 */
export { type Difference, DifferenceFound, type TransactionPlace } from "./difference.ts";
export {
  type ChainRules,
  contextOfHeader,
  executeBlock,
  flagsOf,
  type ToldBlock,
} from "./execute-block.ts";
export type { ToldReceipt } from "./compare-receipts.ts";
export type { Compilation, ReplayCompiler } from "./class-compiler.ts";
export {
  Replayer,
  type ReplayOutcome,
  type ReplayDeps,
  type ReplaySettings,
} from "./replay-block.ts";
export type { ReplayPort } from "./source.ts";
