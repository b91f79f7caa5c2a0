import type { TransactionSubmitter } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type AccountTransaction,
  senderAddressOf,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { Rejections, RefusedSubmission } from "./rejections.ts";

/** Most felts in the lists of a refused transaction that is kept until a client reads its hash. */
const MAX_FELTS = 512;

/** Returns a submitter whose refusals are noted, whether this node or its leader refuses. */
export function watchSubmissions(
  submitter: TransactionSubmitter,
  rejections: Pick<Rejections, "refused">,
  chainId: Felt,
): TransactionSubmitter {
  return {
    async submit(transaction, client) {
      const answer = await submitter.submit(transaction, client);
      if (answer.kind === "rejected") rejections.refused(refusedOf(transaction, chainId), answer);
      return answer;
    },
    async declare(declaration, client) {
      const answer = await submitter.declare(declaration, client);
      if (answer.kind === "rejected") {
        // The hash of a declaration needs that of its class, which takes long.
        const { senderAddress: sender } = declaration.transaction;
        rejections.refused({ sender, hash: null }, answer);
      }
      return answer;
    },
  };
}

function refusedOf(transaction: AccountTransaction, chainId: Felt): RefusedSubmission {
  const sender = senderAddressOf(transaction);
  const isSmall = feltsIn(transaction) <= MAX_FELTS;
  return { sender, hash: isSmall ? () => transactionHash(transaction, chainId) : null };
}

/** Number of felts in calldata, signature and the other lists of a transaction. */
function feltsIn(transaction: AccountTransaction): number {
  return Object.values(transaction).reduce<number>(
    (sum, field: unknown) => sum + (Array.isArray(field) ? field.length : 0),
    0,
  );
}
