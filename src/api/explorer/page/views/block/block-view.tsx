import { useRef } from "hono/jsx/dom";
import { FinalityBadge } from "../../parts/block-table.tsx";
import { Card, Show } from "../../parts/basic.tsx";
import { Raw } from "../../parts/raw.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { rowOf, TransactionTable } from "../../parts/transaction-table.tsx";
import { Empty } from "../../parts/basic.tsx";
import { blockIdOf } from "../../rpc/block-id.ts";
import { type JsonObject, listOf, numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { rpc } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";
import { hrefOf } from "../../state/route.ts";
import { BlockFacts } from "./block-facts.tsx";
import { BlockState } from "./block-state.tsx";
import { BlockEvents } from "./block-events.tsx";

/** One block: its header, transactions, events and state diff. */
export function BlockView({ id, tab }: { readonly id: string; readonly tab: string }) {
  const known = useRef<JsonObject | null>(null);
  const load = async (): Promise<JsonObject> => {
    known.current = await loadBlock(id, known.current);
    return known.current;
  };
  // A block at the head becomes final on L1 later, or is reverted.
  const loaded = useLoad(`block ${id}`, load, { isLive: true });
  return (
    <Show loaded={loaded} what="block">
      {(block) => <Content block={block} tab={tab} />}
    </Show>
  );
}

/** Loads a block, or returns the known one if it is the same: a large block is not drawn again with each new one. */
async function loadBlock(id: string, known: JsonObject | null): Promise<JsonObject> {
  const block_id = blockIdOf(id);
  if (known !== null && textOf(known["block_hash"]) !== "") {
    const now = objectOf(await rpc.call("starknet_getBlockWithTxHashes", { block_id }));
    const isSame = (name: string): boolean => now[name] === known[name];
    if (isSame("block_hash") && isSame("status")) return known;
  }
  return objectOf(await rpc.call("starknet_getBlockWithReceipts", { block_id }));
}

function Content({ block, tab }: { readonly block: JsonObject; readonly tab: string }) {
  const number = numberOf(block["block_number"]) ?? 0;
  const transactions = listOf(block["transactions"]);
  const events = transactions.flatMap((one) =>
    listOf(objectOf(objectOf(one)["receipt"])["events"]),
  );
  const names = {
    transactions: `Transactions (${transactions.length})`,
    events: `Events (${events.length})`,
    state: "State changes",
    raw: "Raw",
  };
  return (
    <>
      <div class="title">
        <h1>Block {number.toLocaleString("en")}</h1>
        <FinalityBadge status={textOf(block["status"])} />
        <span class="spacer" />
        {number > 0 ? <a href={hrefOf("block", String(number - 1))}>← Block {number - 1}</a> : null}
        <a href={hrefOf("block", String(number + 1))}>Block {number + 1} →</a>
      </div>
      <BlockFacts block={block} />
      <Tabs names={names} selected={tab} />
      <TabContent block={block} tab={tab} />
    </>
  );
}

function TabContent({ block, tab }: { readonly block: JsonObject; readonly tab: string }) {
  const number = numberOf(block["block_number"]) ?? 0;
  switch (tab) {
    case "events":
      return <BlockEvents block={block} />;
    case "state":
      return <BlockState key={number} blockNumber={number} />;
    case "raw":
      return <Raw text={JSON.stringify(block, null, 2)} />;
    default:
      return <BlockTransactions block={block} />;
  }
}

function BlockTransactions({ block }: { readonly block: JsonObject }) {
  const rows = listOf(block["transactions"]).map((one) => rowOf(objectOf(one), block));
  return (
    <Card>
      {rows.length === 0 ? (
        <Empty>This block has no transactions.</Empty>
      ) : (
        <TransactionTable rows={rows} />
      )}
    </Card>
  );
}
