import { BlockTable } from "../../parts/block-table.tsx";
import { Card, Show } from "../../parts/basic.tsx";
import { EmptyChain } from "../../parts/empty-chain.tsx";
import { RefusedBlocks } from "../../parts/refused-blocks.tsx";
import { TransactionTable, rowsOfBlocks } from "../../parts/transaction-table.tsx";
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
  const loaded = useLoad("overview", load, { isLive: true });
  return (
    <>
      <div class="title">
        <h1>Overview</h1>
      </div>
      <Show loaded={loaded} what="overview">
        {(blocks) => <Content blocks={blocks} />}
      </Show>
    </>
  );
}

async function load(): Promise<readonly JsonObject[]> {
  const newest = await newestBlock();
  return newest === null ? [] : blocksFrom(newest, SHOWN, "starknet_getBlockWithReceipts");
}

function Content({ blocks }: { readonly blocks: readonly JsonObject[] }) {
  const status = useStore(nodeStatus);
  const rows = rowsOfBlocks(blocks).slice(0, SHOWN);
  return (
    <>
      <Figures newest={blocks[0] ?? null} />
      <Activity />
      {rows.length === 0 ? <EmptyChain /> : null}
      <div class="columns">
        <Card title="Latest blocks" more={<a href={hrefOf("blocks")}>All blocks</a>}>
          <BlockTable blocks={blocks} />
        </Card>
        {rows.length === 0 ? null : (
          <Card
            title="Latest transactions"
            more={<a href={hrefOf("transactions")}>All transactions</a>}
          >
            <TransactionTable rows={rows} />
          </Card>
        )}
      </div>
      <RefusedBlocks blocks={listOf(status?.["refused_blocks"])} />
      <Health />
    </>
  );
}
