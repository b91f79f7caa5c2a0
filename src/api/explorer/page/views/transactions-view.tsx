import { Card, Empty, Show } from "../parts/basic.tsx";
import { EmptyChain } from "../parts/empty-chain.tsx";
import { latestTransactions, type LatestTransactions } from "../parts/latest-transactions.ts";
import { TransactionTable } from "../parts/transaction-table.tsx";
import { newestBlock } from "../rpc/blocks.ts";
import { useLoad } from "../state/load.ts";

/** Latest transactions of the chain, live. */
export function TransactionsView() {
  return (
    <>
      <div class="title">
        <h1>Transactions</h1>
        <span class="sub">
          The latest 100 of the chain. Blocks and contracts list all of theirs.
        </span>
      </div>
      <Show loaded={useLoad("transactions", load, { isLive: true })} what="list of transactions">
        {(latest) => <Content latest={latest} />}
      </Show>
    </>
  );
}

async function load(): Promise<LatestTransactions> {
  const newest = await newestBlock();
  return newest === null ? { rows: [], from: 0 } : latestTransactions(newest);
}

function Content({ latest: { rows, from } }: { readonly latest: LatestTransactions }) {
  if (rows.length === 0 && from <= 0) return <EmptyChain />;
  return (
    <Card>
      {rows.length === 0 ? (
        <Empty>No transactions in the blocks from {from.toLocaleString("en")} on.</Empty>
      ) : (
        <TransactionTable rows={rows} />
      )}
    </Card>
  );
}
