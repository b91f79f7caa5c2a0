import { Card, Show } from "../parts/basic.tsx";
import { EmptyChain } from "../parts/empty-chain.tsx";
import {
  rowsOfBlocks,
  type TransactionRow,
  TransactionTable,
} from "../parts/transaction-table.tsx";
import { blocksFrom, newestBlock } from "../rpc/blocks.ts";
import { useLoad } from "../state/load.ts";

/** Number of transactions shown, and the most blocks that are searched for them. */
const SHOWN = 100;
const MOST_BLOCKS = 200;
const BATCH = 20;

/** Latest transactions of the chain, live. */
export function TransactionsView() {
  return (
    <>
      <div class="title">
        <h1>Transactions</h1>
      </div>
      <Show loaded={useLoad("transactions", load, { isLive: true })} what="list of transactions">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyChain />
          ) : (
            <Card>
              <TransactionTable rows={rows} />
            </Card>
          )
        }
      </Show>
    </>
  );
}

async function load(): Promise<readonly TransactionRow[]> {
  const newest = await newestBlock();
  const rows: TransactionRow[] = [];
  if (newest === null) return rows;
  for (
    let skipped = 0;
    skipped < MOST_BLOCKS && rows.length < SHOWN && skipped <= newest;
    skipped += BATCH
  ) {
    const blocks = await blocksFrom(newest - skipped, BATCH, "starknet_getBlockWithReceipts");
    rows.push(...rowsOfBlocks(blocks));
  }
  return rows.slice(0, SHOWN);
}
