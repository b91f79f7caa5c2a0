import { Badge, Card, Empty, Show } from "../../parts/basic.tsx";
import { FinalityBadge } from "../../parts/block-table.tsx";
import { Hash } from "../../parts/hash.tsx";
import { StateDiff } from "../../parts/state-diff.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { OutcomeBadge, typeText } from "../../parts/transaction-table.tsx";
import { numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { useLoad } from "../../state/load.ts";
import { CallTreeView } from "./call-tree-view.tsx";
import { FlameView } from "./flame-view.tsx";
import { type LoadedTransaction, loadTransaction } from "./load-transaction.ts";
import { Revert } from "./revert.tsx";
import { SimulateView } from "./simulate-view.tsx";
import { Summary } from "./summary.tsx";
import { TransactionEvents } from "./transaction-events.tsx";

/** One transaction: what it did, what it cost, and why it failed. */
export function TransactionView({ hash, tab }: { readonly hash: string; readonly tab: string }) {
  const loaded = useLoad(`transaction ${hash}`, () => loadTransaction(hash), { isLive: true });
  return (
    <Show loaded={loaded} what="transaction">
      {(transaction) => <Content hash={hash} of={transaction} tab={tab} />}
    </Show>
  );
}

interface Part {
  readonly hash: string;
  readonly of: LoadedTransaction;
  readonly tab: string;
}

function Content({ hash, of, tab }: Part) {
  const { transaction, receipt, events } = of;
  const names = {
    summary: "Summary",
    calls: "Call tree",
    flame: "Gas",
    events: `Events (${events.length})`,
    state: "State changes",
    simulate: "Simulate",
    raw: "Raw",
  };
  return (
    <>
      <div class="title">
        <h1>Transaction</h1>
        <Badge tone="neutral">{typeText(textOf(transaction["type"]))}</Badge>
        {receipt === null ? (
          <Badge tone="warn">waiting</Badge>
        ) : (
          <>
            <OutcomeBadge isReverted={receipt["execution_status"] === "REVERTED"} />
            <FinalityBadge status={textOf(receipt["finality_status"])} />
          </>
        )}
        <span class="sub">
          <Hash felt={hash} isWhole />
        </span>
      </div>
      <Revert of={of} />
      <Tabs names={names} selected={tab} />
      <TabContent of={of} tab={tab} />
    </>
  );
}

function TabContent({ of, tab }: Omit<Part, "hash">) {
  switch (tab) {
    case "calls":
      return <CallTreeView of={of} />;
    case "flame":
      return <FlameView of={of} />;
    case "events":
      return <TransactionEvents of={of} />;
    case "simulate":
      return <SimulateView of={of} />;
    case "state":
      return <State of={of} />;
    case "raw":
      return (
        <pre tabIndex={0}>
          {JSON.stringify({ ...of.transaction, receipt: of.receipt, trace: of.trace }, null, 2)}
        </pre>
      );
    default:
      return <Summary of={of} />;
  }
}

function State({ of: { trace, block, traceProblem } }: { readonly of: LoadedTransaction }) {
  const diff = objectOf(trace["state_diff"]);
  if (trace["state_diff"] === undefined) {
    return <Empty>The node gave no state changes of this transaction. {traceProblem}</Empty>;
  }
  return (
    <Card>
      <StateDiff diff={diff} before={(numberOf(block?.["block_number"]) ?? 1) - 1} />
    </Card>
  );
}
