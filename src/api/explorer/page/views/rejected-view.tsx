import { visibleText } from "../decode/visible-text.ts";
import { Badge, Card, Empty, Show } from "../parts/basic.tsx";
import { Hash } from "../parts/hash.tsx";
import { RefusedBlocks } from "../parts/refused-blocks.tsx";
import { Table } from "../parts/table.tsx";
import { Age } from "../parts/time.tsx";
import { type Json, listOf, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { api } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";

/** Transactions that the node rejected since its start, with reasons, and blocks that it refused. */
export function RejectedView() {
  const loaded = useLoad("rejected", () => api.get("rejected"), { isLive: true });
  return (
    <>
      <div class="title">
        <h1>Rejected transactions</h1>
        <span class="sub">The newest since the node started; none of them is in a block.</span>
      </div>
      <Card>
        <Show loaded={loaded} what="rejected transactions">
          {(rejected) => <Transactions all={listOf(rejected["transactions"])} />}
        </Show>
      </Card>
      {loaded.state === "ready" ? <RefusedBlocks blocks={listOf(loaded.value["blocks"])} /> : null}
    </>
  );
}

function Transactions({ all }: { readonly all: readonly Json[] }) {
  if (all.length === 0) return <Empty>No transaction was rejected.</Empty>;
  return (
    <div class="scroll">
      <Table heads={["Transaction", "Sender", "When", "Why"]}>
        {all.map((one) => {
          const { hash, sender, code, reason, was_received, unix_ms } = objectOf(one);
          return (
            <tr>
              <td>
                {textOf(hash) === "" ? (
                  <span class="muted">hash not known</span>
                ) : (
                  <Hash felt={textOf(hash)} to="tx" />
                )}
              </td>
              <td>{textOf(sender) === "" ? null : <Hash felt={textOf(sender)} to="contract" />}</td>
              <td>
                <Age unixMs={numberOf(unix_ms) ?? 0} />
              </td>
              <td>
                <Badge tone={was_received === true ? "warn" : "bad"}>
                  {was_received === true ? "dropped" : "refused"}
                </Badge>{" "}
                <span class="muted">{visibleText(textOf(code))}</span> {visibleText(textOf(reason))}
              </td>
            </tr>
          );
        })}
      </Table>
    </div>
  );
}
