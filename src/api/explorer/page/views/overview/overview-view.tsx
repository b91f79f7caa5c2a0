import { BlockTable } from "../../parts/block-table.tsx";
import { Card, Empty, Show } from "../../parts/basic.tsx";
import { EmptyChain } from "../../parts/empty-chain.tsx";
import { RefusedBlocks } from "../../parts/refused-blocks.tsx";
import { rowOfIndex, TransactionTable } from "../../parts/transaction-table.tsx";
import { newestBlock } from "../../rpc/blocks.ts";
import { type Json, listOf } from "../../rpc/json.ts";
import { type RecentBlock, RecentBlocks, type Wanted } from "../../rpc/recent-blocks.ts";
import { api, revision } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { hrefOf } from "../../state/route.ts";
import { useStore } from "../../state/store.ts";
import { Activity } from "./activity.tsx";
import { Figures } from "./figures.tsx";
import { Health } from "./health.tsx";

/** Number of blocks and of transactions shown. */
const SHOWN = 10;

const recent = new RecentBlocks(api, SHOWN);

/** First view: the state of the chain and of the node, live. */
export function OverviewView() {
  const blocks = useLoad("overview", () => load({ blocks: SHOWN, transactions: 0 }), {
    isLive: true,
  });
  const latest = useLoad("latest transactions", () => load({ blocks: 0, transactions: SHOWN }), {
    isLive: true,
  });
  const status = useStore(nodeStatus);
  const isEmpty =
    latest.state === "ready" &&
    transactionsOf(latest.value).length === 0 &&
    oldestOf(latest.value) <= 0;
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
            {(shown) => <BlockTable blocks={shown.slice(0, SHOWN).map(({ block }) => block)} />}
          </Show>
        </Card>
        {isEmpty ? null : (
          <Card
            title="Latest transactions"
            more={<a href={hrefOf("transactions")}>All transactions</a>}
          >
            <Show loaded={latest} what="latest transactions">
              {(shown) => <Transactions blocks={shown} />}
            </Show>
          </Card>
        )}
      </div>
      <RefusedBlocks blocks={listOf(status?.["refused_blocks"])} />
      <Health />
    </>
  );
}

const transactionsOf = (blocks: readonly RecentBlock[]): readonly Json[] =>
  blocks.flatMap(({ transactions }) => transactions);

const oldestOf = (blocks: readonly RecentBlock[]): number => blocks.at(-1)?.number ?? 0;

async function load(wanted: Wanted): Promise<readonly RecentBlock[]> {
  const newest = await newestBlock();
  return newest === null ? [] : recent.load(newest, revision.value, wanted);
}

function Transactions({ blocks }: { readonly blocks: readonly RecentBlock[] }) {
  const rows = transactionsOf(blocks).slice(0, SHOWN).map(rowOfIndex);
  return rows.length === 0 ? (
    <Empty>No transactions in the blocks from {oldestOf(blocks).toLocaleString("en")} on.</Empty>
  ) : (
    <TransactionTable rows={rows} />
  );
}
