import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import type { Caller } from "./limits/caller.ts";

/**
 * Client of a submission: submissions that nobody pays for count against its address, as `addressKey` makes it,
 * and nobody waits for the answer once its signal is aborted.
 */
export type SubmitClient = Pick<Caller, "address" | "signal">;

/** Client of what this node submits itself: it has no address and never goes away. */
export const THIS_NODE: SubmitClient = { address: "", signal: new AbortController().signal };

/** Hands transactions of users on; on a full node to the sequencer. */
export interface TransactionSubmitter {
  /** Answers once the transaction is stored durably or refused. */
  submit(transaction: AccountTransaction, client: SubmitClient): Promise<SubmitAnswer>;
  /** As {@link submit} for a declaration, which is compiled before. */
  declare(declaration: Declaration, client: SubmitClient): Promise<SubmitAnswer>;
}
