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

interface Overview {
  readonly blocks: readonly JsonObject[];
  readonly latest: LatestTransactions;
}

/** First view: the state of the chain and of the node, live. */
export function OverviewView() {
  const loaded = useLoad("overview", load, { isLive: true });
  return (
    <>
      <div class="title">
        <h1>Overview</h1>
      </div>
      <Show loaded={loaded} what="overview">
        {(overview) => <Content overview={overview} />}
      </Show>
    </>
  );
}

async function load(): Promise<Overview> {
  const newest = await newestBlock();
  if (newest === null) return { blocks: [], latest: { rows: [], from: 0 } };
  const [blocks, latest] = await Promise.all([
    blocksFrom(newest, SHOWN, "starknet_getBlockWithReceipts"),
    latestTransactions(newest),
  ]);
  return { blocks, latest };
}

function Content({ overview: { blocks, latest } }: { readonly overview: Overview }) {
  const status = useStore(nodeStatus);
  const rows = latest.rows.slice(0, SHOWN);
  const isEmpty = rows.length === 0 && latest.from <= 0;
  return (
    <>
      <Figures newest={blocks[0] ?? null} />
      {isEmpty ? <EmptyChain /> : null}
      <Activity />
      <div class="columns">
        <Card title="Latest blocks" more={<a href={hrefOf("blocks")}>All blocks</a>}>
          <BlockTable blocks={blocks} />
        </Card>
        {isEmpty ? null : (
          <Card
            title="Latest transactions"
            more={<a href={hrefOf("transactions")}>All transactions</a>}
          >
            {rows.length === 0 ? (
              <Empty>
                No transactions in the blocks from {latest.from.toLocaleString("en")} on.
              </Empty>
            ) : (
              <TransactionTable rows={rows} />
            )}
          </Card>
        )}
      </div>
      <RefusedBlocks blocks={listOf(status?.["refused_blocks"])} />
      <Health />
    </>
  );
}
