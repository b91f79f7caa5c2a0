import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import type { Caller } from "./limits/caller.ts";

/**
 * Client of a submission. Its address, in the form of `addressKey`, is charged for fee-less submissions. When
 * its signal is aborted, the response has no reader.
 */
export type SubmitClient = Pick<Caller, "address" | "signal">;

/** Client of the node's own submissions: it has no address and never disconnects. */
export const THIS_NODE: SubmitClient = { address: "", signal: new AbortController().signal };

/** Accepts submitted transactions; a full node forwards them to the sequencer. */
export interface TransactionSubmitter {
  /** Resolves once the transaction is stored durably or rejected. */
  submit(transaction: AccountTransaction, client: SubmitClient): Promise<SubmitAnswer>;
  /** Submits a declaration like {@link submit}, after compiling its class. */
  declare(declaration: Declaration, client: SubmitClient): Promise<SubmitAnswer>;
}
