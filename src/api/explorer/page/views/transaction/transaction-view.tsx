import { useRef } from "hono/jsx/dom";
import { Badge, Card, Empty, Failed, Loading, Show } from "../../parts/basic.tsx";
import { FinalityBadge } from "../../parts/block-table.tsx";
import { Hash } from "../../parts/hash.tsx";
import { Raw } from "../../parts/raw.tsx";
import { StateDiff } from "../../parts/state-diff.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { OutcomeBadge, typeText } from "../../parts/transaction-table.tsx";
import { numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { PageError } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";
import { CallTreeView } from "./call-tree-view.tsx";
import { FlameView } from "./flame-view.tsx";
import {
  isUnchanged,
  type LoadedTransaction,
  loadTransaction,
  withTrace,
} from "./load-transaction.ts";
import { Revert } from "./revert.tsx";
import { SimulateView } from "./simulate-view.tsx";
import { Summary } from "./summary.tsx";
import { TransactionEvents } from "./transaction-events.tsx";

/** One transaction: what it did, what it cost, and why it failed. */
export function TransactionView({ hash, tab }: { readonly hash: string; readonly tab: string }) {
  const known = useRef<LoadedTransaction | null>(null);
  const load = async (): Promise<LoadedTransaction> => {
    known.current = await reload(hash, known.current);
    return known.current;
  };
  const loaded = useLoad(`transaction ${hash}`, load, { isLive: true });
  return (
    <Show loaded={loaded} what="transaction">
      {(transaction) => <Traced hash={hash} of={transaction} tab={tab} />}
    </Show>
  );
}

/** Loads a transaction, or returns the known one if nothing about it changed. */
async function reload(hash: string, known: LoadedTransaction | null): Promise<LoadedTransaction> {
  if (known === null) return loadTransaction(hash);
  const params = { transaction_hash: hash };
  const [now] = await rpc.batch([{ method: "starknet_getTransactionReceipt", params }]);
  const receipt = now instanceof PageError || now === undefined ? null : objectOf(now);
  return isUnchanged(known, receipt) ? known : loadTransaction(hash);
}

/** Shows a transaction before its trace is there, and then with it. */
function Traced({ hash, of, tab }: Part) {
  const block = textOf(of.receipt?.["block_hash"]);
  const traced = useLoad(`trace ${hash} ${block}`, () => withTrace(hash, of));
  const isTraced = traced.state === "ready";
  // The finality may be newer than the trace.
  const shown = isTraced ? { ...traced.value, receipt: of.receipt, block: of.block } : of;
  return (
    <>
      {traced.state === "failed" ? <Failed what="The trace" error={traced.error} /> : null}
      <Content hash={hash} of={shown} tab={tab} />
    </>
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
        <Raw
          text={JSON.stringify(
            { ...of.transaction, receipt: of.receipt, trace: of.trace },
            null,
            2,
          )}
        />
      );
    default:
      return <Summary of={of} />;
  }
}

function State({ of: { trace, block, traceProblem } }: { readonly of: LoadedTransaction }) {
  if (trace === null) return <Loading what="trace" />;
  const diff = trace["state_diff"];
  if (diff === undefined) {
    return <Empty>The node gave no state changes of this transaction. {traceProblem}</Empty>;
  }
  return (
    <Card>
      <StateDiff diff={objectOf(diff)} before={(numberOf(block?.["block_number"]) ?? 1) - 1} />
    </Card>
  );
}
