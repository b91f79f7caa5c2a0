import { Card, Empty, Show } from "../parts/basic.tsx";
import { EmptyChain } from "../parts/empty-chain.tsx";
import { rowOfIndex, TransactionTable } from "../parts/transaction-table.tsx";
import { newestBlock } from "../rpc/blocks.ts";
import { type RecentBlock, RecentBlocks } from "../rpc/recent-blocks.ts";
import { api, revision } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";

/** Number of transactions shown. */
const SHOWN = 100;

const recent = new RecentBlocks(api, SHOWN);

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
  const wanted = { blocks: 0, transactions: SHOWN };
  return newest === null ? [] : recent.load(newest, revision.value, wanted);
}

function Content({ blocks }: { readonly blocks: readonly RecentBlock[] }) {
  const rows = blocks
    .flatMap(({ transactions }) => transactions)
    .slice(0, SHOWN)
    .map(rowOfIndex);
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
