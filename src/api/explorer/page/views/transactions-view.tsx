import { Card, Empty, Show } from "../parts/basic.tsx";
import { EmptyChain } from "../parts/empty-chain.tsx";
import { type RecentBlock, recentBlocks } from "../parts/recent-blocks.ts";
import { TransactionTable } from "../parts/transaction-table.tsx";
import { newestBlock } from "../rpc/blocks.ts";
import { useLoad } from "../state/load.ts";

/** Number of transactions shown. */
const SHOWN = 100;

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
        {(blocks) => <Content blocks={blocks} />}
      </Show>
    </>
  );
}

async function load(): Promise<readonly RecentBlock[]> {
  const newest = await newestBlock();
  return newest === null ? [] : recentBlocks(newest, { blocks: 0, transactions: SHOWN });
}

function Content({ blocks }: { readonly blocks: readonly RecentBlock[] }) {
  const rows = blocks.flatMap((block) => block.rows).slice(0, SHOWN);
  const oldest = blocks.at(-1)?.number ?? 0;
  if (rows.length === 0 && oldest <= 0) return <EmptyChain />;
  return (
    <Card>
      {rows.length === 0 ? (
        <Empty>No transactions in the blocks from {oldest.toLocaleString("en")} on.</Empty>
      ) : (
        <TransactionTable rows={rows} />
      )}
    </Card>
  );
}
