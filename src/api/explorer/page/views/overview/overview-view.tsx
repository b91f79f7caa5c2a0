import { BlockTable } from "../../parts/block-table.tsx";
import { Card, Empty, Show } from "../../parts/basic.tsx";
import { EmptyChain } from "../../parts/empty-chain.tsx";
import { latestTransactions, type LatestTransactions } from "../../parts/latest-transactions.ts";
import { RefusedBlocks } from "../../parts/refused-blocks.tsx";
import { TransactionTable } from "../../parts/transaction-table.tsx";
import { blocksFrom, newestBlock } from "../../rpc/blocks.ts";
import { type JsonObject, listOf } from "../../rpc/json.ts";
import { useLoad } from "../../state/load.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { hrefOf } from "../../state/route.ts";
import { useStore } from "../../state/store.ts";
import { Activity } from "./activity.tsx";
import { Figures } from "./figures.tsx";
import { Health } from "./health.tsx";

/** Number of blocks and of transactions shown. */
const SHOWN = 10;

/** First view: the state of the chain and of the node, live. */
export function OverviewView() {
  const blocks = useLoad("overview", loadBlocks, { isLive: true });
  const latest = useLoad("latest transactions", loadTransactions, { isLive: true });
  const status = useStore(nodeStatus);
  const isEmpty =
    latest.state === "ready" && latest.value.rows.length === 0 && latest.value.from <= 0;
  return (
    <>
      <div class="title">
        <h1>Overview</h1>
      </div>
      <Show loaded={blocks} what="newest block">
        {([newest]) => <Figures newest={newest ?? null} />}
      </Show>
      {isEmpty ? <EmptyChain /> : null}
      <Activity />
      <div class="columns">
        <Card title="Latest blocks" more={<a href={hrefOf("blocks")}>All blocks</a>}>
          <Show loaded={blocks} what="latest blocks">
            {(shown) => <BlockTable blocks={shown} />}
          </Show>
        </Card>
        {isEmpty ? null : (
          <Card
            title="Latest transactions"
            more={<a href={hrefOf("transactions")}>All transactions</a>}
          >
            <Show loaded={latest} what="latest transactions">
              {(shown) => <Transactions latest={shown} />}
            </Show>
          </Card>
        )}
      </div>
      <RefusedBlocks blocks={listOf(status?.["refused_blocks"])} />
      <Health />
    </>
  );
}

async function loadBlocks(): Promise<readonly JsonObject[]> {
  const newest = await newestBlock();
  return newest === null ? [] : blocksFrom(newest, SHOWN, "starknet_getBlockWithReceipts");
}

async function loadTransactions(): Promise<LatestTransactions> {
  const newest = await newestBlock();
  return newest === null ? { rows: [], from: 0 } : latestTransactions(newest);
}

function Transactions({ latest: { rows, from } }: { readonly latest: LatestTransactions }) {
  return rows.length === 0 ? (
    <Empty>No transactions in the blocks from {from.toLocaleString("en")} on.</Empty>
  ) : (
    <TransactionTable rows={rows.slice(0, SHOWN)} />
  );
}
