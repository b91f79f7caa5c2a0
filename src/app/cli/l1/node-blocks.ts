import { NodeError } from "#base/errors/index.ts";
import type { NodeClient } from "#io/client/index.ts";
import type { L1Handler, Transaction } from "#protocol/chain/index.ts";
import type { AcceptedBlocks } from "#services/settlement/index.ts";

/** Reads the accepted blocks of a node over JSON-RPC. */
export function blocksOfNode(node: NodeClient): AcceptedBlocks {
  return {
    newest: () => node.blockNumber(),
    async block(blockNumber) {
      const { header, transactions, receipts } = await node.block(blockNumber);
      if (header.number !== blockNumber) {
        const message = `the node returned block ${header.number} instead of block ${blockNumber}`;
        throw new NodeError("NODE_BAD_ANSWER", message);
      }
      return {
        number: blockNumber,
        hash: header.hash,
        parentHash: header.parentHash,
        stateRoot: header.newRoot,
        messagesToL1: receipts.flatMap(({ messages }) => messages),
        messagesToL2: transactions.filter(isL1Handler),
      };
    },
  };
}

function isL1Handler(transaction: Transaction): transaction is L1Handler {
  return transaction.type === "L1_HANDLER";
}
