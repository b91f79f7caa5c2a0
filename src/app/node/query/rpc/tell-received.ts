import type { LiveFeed, TransactionSubmitter } from "#api/rpc/index.ts";

/** A way into the mempool that tells who listens of each transaction that was received. */
export function tellReceived(
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
      // Not the class: it may take a minute to compile, and is large.
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
