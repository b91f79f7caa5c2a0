/**
 * Replay: re-executes another node's blocks using only its responses, and compares the results.
 *
 * States of a response, in this order; `Replayer` moves it on:
 *
 * - *reported*: block, traces with their reads, state update, classes. All of it is untrusted.
 * - *bound*: it belongs to this block. Hashes of headers, transactions and classes are recomputed; headers
 *   are linked by parent hashes (`HeaderChain`), so that none can be of another chain.
 * - *proven*: `StateWitness` has verified each value that is read or changed against the state root of the
 *   preceding block, by the hashes of the proof's nodes. Classes are compiled here.
 * - *executed*: on proven values only (`WitnessReader`). Any other read of a transaction is a difference.
 * - *agreed*: receipts, traces, state diff, state root, commitments and block hash are the same.
 *
 * The first mismatch ends the replay with a `Difference`: the field, our value, theirs, the transaction. A
 * missing or refused response is an error, not a difference.
 *
 * Trusted are: the header of the preceding block, and with `trustsCasm` the hints of code taken from the
 * node, which no hash covers; `ReplayOutcome` names its classes.
 *
 * Persistence: nothing is written to disk. Between two blocks 24 headers and 64 classes stay in memory. A
 * stop takes effect between two transactions, or while a response is pending. If the node's chain is reverted
 * midway, responses from two chains do not fit together: that is a difference.
 *
 * Bounds: responses are limited in size and time (`io/client`). Only traces are decoded while they arrive,
 * and may be of any length: lists of more than 1024 felts are kept only as digests, and a block's traces take
 * at most 512 MiB in memory. Our own trace of a transaction takes at most 1 GiB. Proofs are limited to the
 * nodes that their keys can have, and to `maxProofKeys` keys per request; compilers are limited in memory and
 * time. Classes and transactions are executed within the limits of the block's protocol version.
 */
export { type Difference, DifferenceFound, type TransactionPlace } from "./difference.ts";
export {
  type ChainRules,
  contextOfHeader,
  executeBlock,
  flagsOf,
  type ReplayInput,
} from "./execute-block.ts";
export type { ReportedReceipt } from "./compare-receipts.ts";
export type { Compilation, ReplayCompiler } from "./class-compiler.ts";
export {
  Replayer,
  type ReplayOutcome,
  type ReplayDeps,
  type ReplaySettings,
} from "./replay-block.ts";
export type { ReplayPort } from "./source.ts";
