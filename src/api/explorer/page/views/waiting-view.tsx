import { Badge, Card, Empty, Show } from "../parts/basic.tsx";
import { Growing } from "../parts/growing.tsx";
import { Hash } from "../parts/hash.tsx";
import { type Json, type JsonObject, objectOf, textOf } from "../rpc/json.ts";
import { rpc } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";
import { Table } from "../parts/table.tsx";
import {
  rowsOfBlocks,
  type TransactionRow,
  TransactionTable,
} from "../parts/transaction-table.tsx";

/** Transactions that the node received and has not put into a block, and those of the block in production. */
export function WaitingView() {
  const load = async (): Promise<JsonObject> => objectOf(await rpc.call("txpool_content"));
  const open = useLoad("open block", loadOpen, { isLive: true });
  return (
    <>
      <div class="title">
        <h1>Waiting transactions</h1>
        <span class="sub">Received by this node, and in no block yet.</span>
      </div>
      <Card title="Mempool">
        <Show loaded={useLoad("waiting", load, { isLive: true })} what="mempool">
          {(content) => <Content content={content} />}
        </Show>
      </Card>
      <Card title="Block in production">
        <Show loaded={open} what="block in production">
          {(rows) =>
            rows.length === 0 ? (
              <Empty>It has no transactions.</Empty>
            ) : (
              <TransactionTable rows={rows} />
            )
          }
        </Show>
      </Card>
    </>
  );
}

/** Loads the transactions that were executed for the next block. */
async function loadOpen(): Promise<readonly TransactionRow[]> {
  const block = objectOf(
    await rpc.call("starknet_getBlockWithReceipts", { block_id: "pre_confirmed" }),
  );
  // Without a block in production, nodes answer with the newest one.
  return textOf(block["block_hash"]) === "" ? rowsOfBlocks([block]) : [];
}

interface Waiting {
  readonly state: "pending" | "queued";
  readonly transaction: JsonObject;
}

function Content({ content }: { readonly content: JsonObject }) {
  const all = [
    ...waitingOf(content["pending"], "pending"),
    ...waitingOf(content["queued"], "queued"),
  ];
  if (all.length === 0) return <Empty>No transaction waits.</Empty>;
  return (
    <Growing of={all} what="waiting transactions">
      {(shown) => (
        <div class="scroll">
          <Table heads={["Transaction", "Sender", { num: "Nonce" }, "Waits for"]}>
            {shown.map((one) => (
              <Row key={hashOf(one)} of={one} />
            ))}
          </Table>
        </div>
      )}
    </Growing>
  );
}

function Row({ of }: { readonly of: Waiting }) {
  const { state, transaction } = of;
  return (
    <tr>
      <td>
        <Hash felt={hashOf(of)} to="tx" />
      </td>
      <td>
        <Hash
          felt={textOf(transaction["sender"]) || textOf(transaction["sender_address"])}
          to="contract"
        />
      </td>
      <td class="num">{nonceText(textOf(transaction["nonce"]))}</td>
      <td>
        {state === "pending" ? (
          <Badge tone="good">the next block</Badge>
        ) : (
          <Badge tone="warn">an earlier nonce of its sender</Badge>
        )}
      </td>
    </tr>
  );
}

function hashOf({ transaction }: Waiting): string {
  return textOf(transaction["hash"]) || textOf(transaction["transaction_hash"]);
}

/** Katana's form: transactions by sender, then by nonce. */
function waitingOf(bySender: Json | undefined, state: Waiting["state"]): readonly Waiting[] {
  return Object.values(objectOf(bySender)).flatMap((byNonce) =>
    Object.values(objectOf(byNonce)).map((transaction) => ({
      state,
      transaction: objectOf(transaction),
    })),
  );
}

function nonceText(nonce: string): string {
  return /^0x[0-9a-fA-F]+$/.test(nonce) ? BigInt(nonce).toString() : nonce;
}
