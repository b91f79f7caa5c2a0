import { Badge, Card, Empty, Show } from "../parts/basic.tsx";
import { Hash } from "../parts/hash.tsx";
import { type Json, type JsonObject, objectOf, textOf } from "../rpc/json.ts";
import { rpc } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";
import { Table } from "../parts/table.tsx";

/** Transactions that the node received and has not put into a block. */
export function WaitingView() {
  const load = async (): Promise<JsonObject> => objectOf(await rpc.call("txpool_content"));
  return (
    <>
      <div class="title">
        <h1>Waiting transactions</h1>
        <span class="sub">Received by this node, and in no block yet.</span>
      </div>
      <Card>
        <Show loaded={useLoad("waiting", load, { isLive: true })} what="mempool">
          {(content) => <Content content={content} />}
        </Show>
      </Card>
    </>
  );
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
    <div class="scroll">
      <Table heads={["Transaction", "Sender", { num: "Nonce" }, "Waits for"]}>
        {all.map(({ state, transaction }) => (
          <tr>
            <td>
              <Hash
                felt={textOf(transaction["hash"]) || textOf(transaction["transaction_hash"])}
                to="tx"
              />
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
        ))}
      </Table>
    </div>
  );
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
