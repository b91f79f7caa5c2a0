import { Badge, Card, Empty, Show } from "../parts/basic.tsx";
import { FinalityBadge } from "../parts/block-table.tsx";
import { Hash } from "../parts/hash.tsx";
import { OutcomeBadge } from "../parts/transaction-table.tsx";
import { Table } from "../parts/table.tsx";
import { visibleText } from "../decode/visible-text.ts";
import { type Json, listOf, objectOf, textOf } from "../rpc/json.ts";
import { rpc } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";

/** Longest reason of a revert that is shown, in characters. */
const MAX_REASON = 300;

/** Messages that a transaction on L1 sent to this chain, with their state here. */
export function L1View({ hash }: { readonly hash: string }) {
  const load = (): Promise<Json> =>
    rpc.call("starknet_getMessagesStatus", { transaction_hash: hash });
  const loaded = useLoad(`l1 ${hash}`, load, { isLive: true });
  return (
    <>
      <div class="title">
        <h1>Transaction on L1</h1>
        <span class="sub">
          <Hash felt={hash} isWhole />
        </span>
      </div>
      <Card title="Messages to this chain">
        <Show loaded={loaded} what="list of messages">
          {(messages) => <Statuses messages={listOf(messages)} />}
        </Show>
      </Card>
    </>
  );
}

function Statuses({ messages }: { readonly messages: readonly Json[] }) {
  if (messages.length === 0) {
    return (
      <Empty>
        This chain knows the transaction and has executed none of its messages yet: they wait until
        their block on L1 is final, or for their turn.
      </Empty>
    );
  }
  return (
    <div class="scroll">
      <Table heads={["Executed by", "Status", "Finality", "Reason"]}>
        {messages.map((one) => {
          const { transaction_hash, execution_status, finality_status, failure_reason } =
            objectOf(one);
          return (
            <tr key={textOf(transaction_hash)}>
              <td>
                <Hash felt={textOf(transaction_hash)} to="tx" />
              </td>
              <td>
                {execution_status === undefined ? (
                  <Badge tone="warn">waiting</Badge>
                ) : (
                  <OutcomeBadge isReverted={execution_status === "REVERTED"} />
                )}
              </td>
              <td>
                <FinalityBadge status={textOf(finality_status)} />
              </td>
              <td class="wide">{visibleText(textOf(failure_reason), MAX_REASON)}</td>
            </tr>
          );
        })}
      </Table>
    </div>
  );
}
