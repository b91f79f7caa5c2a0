import type { LiveFeed, TransactionSubmitter } from "#api/rpc/index.ts";

/** Wraps a submitter to notify subscribers of each received transaction. */
export function notifyReceived(
  submitter: TransactionSubmitter,
  feed: Pick<LiveFeed, "received">,
): TransactionSubmitter {
  return {
    async submit(transaction, client) {
      const outcome = await submitter.submit(transaction, client);
      if (outcome.kind === "accepted") {
        feed.received({ hash: outcome.transactionHash, transaction });
      }
      return outcome;
    },
    async declare(declaration, client) {
      // Extracted so that the closure does not retain the class, which is large and may take a minute to
      // compile.
      const { transaction } = declaration;
      const outcome = await submitter.declare(declaration, client);
      if (outcome.kind === "accepted" && outcome.classHash !== undefined) {
        const { transactionHash: hash, classHash } = outcome;
        feed.received({ hash, transaction: { ...transaction, classHash } });
      }
      return outcome;
    },
  };
}
