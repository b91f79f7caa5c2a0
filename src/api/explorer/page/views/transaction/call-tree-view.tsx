import type { CallNode } from "../../decode/call-tree.ts";
import { namedNode } from "../../decode/named-calls.ts";
import { namedEvent } from "../../decode/named-event.ts";
import { panicText } from "../../decode/panic.ts";
import type { RevertReason } from "../../decode/revert-reason.ts";
import { gasText } from "../../decode/amounts.ts";
import { Card, Empty, Loading } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { Values } from "../../parts/value.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { feltsOf } from "../../decode/calls.ts";
import { failedTreeOf } from "../../decode/failed-tree.ts";
import { feltText } from "../../abi/felt.ts";
import { CallState } from "./call-state.tsx";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Phases that do the work; the others are shown after them, closed. */
const MAIN_PHASES: ReadonlySet<string> = new Set(["Execution", "L1 handler", "Constructor"]);

/** Calls of the main phases that are open at first, by depth. */
const OPEN_DEPTH = 3;

/** Data of a transaction that shows its calls. */
export type Traced = Pick<
  LoadedTransaction,
  "transaction" | "tree" | "trace" | "abis" | "classes" | "revert" | "traceProblem"
>;

/** Call tree of a transaction, by phase. */
export function CallTreeView({ of }: { readonly of: Traced }) {
  const { tree, trace, traceProblem, revert } = of;
  if (trace === null) return <Loading what="call tree" />;
  if (tree === null)
    return <Empty>The node has no trace of this transaction: {traceProblem}</Empty>;
  const [executed, others] = [true, false].map((isMain) =>
    tree.phases.filter(({ name }) => MAIN_PHASES.has(name) === isMain),
  );
  return (
    <>
      {revert !== null && !tree.phases.some(({ name }) => name === "Execution") ? (
        <FailedCalls revert={revert} of={of} />
      ) : null}
      {[...(executed ?? []), ...(others ?? [])].map(({ name, root }) => (
        <Card key={name} title={name} more={gasText(root.gas)}>
          <div class="body tree">
            <Call
              node={root}
              of={of}
              cause={MAIN_PHASES.has(name) ? (revert?.cause ?? null) : null}
              openDepth={MAIN_PHASES.has(name) ? OPEN_DEPTH : 0}
            />
          </div>
        </Card>
      ))}
    </>
  );
}

/** JSON-RPC has no call tree of a reverted execution: these calls come from its reason and the calldata. */
function FailedCalls({ revert, of }: { readonly revert: RevertReason; readonly of: Traced }) {
  const { cause } = revert;
  const root = failedTreeOf(revert, feltsOf(of.transaction["calldata"]), of.classes);
  if (root === undefined) return <div class="notice bad">{visibleText(cause)}</div>;
  return (
    <Card title="Execution" more="from the revert reason">
      <div class="body tree">
        <Call node={root} of={of} cause={cause} openDepth={OPEN_DEPTH} />
      </div>
    </Card>
  );
}

function Call({
  node,
  of,
  cause,
  openDepth,
}: {
  readonly node: CallNode;
  readonly of: Traced;
  /** Why the execution was reverted; `null` if it was not. */
  readonly cause: string | null;
  /** Calls above this depth are open at first; reverted ones always are. */
  readonly openDepth: number;
}) {
  const { name, inputs, outputs } = namedNode(of.abis, node);
  const isLibrary = node.callType !== "CALL";
  return (
    <details
      class={node.isReverted ? "reverted" : undefined}
      open={node.isReverted || node.depth < openDepth}
    >
      <summary>
        {node.state === "traced" ? <span class="call-gas">{gasText(node.gas)}</span> : null}
        <span class="call-name">{name === undefined ? node.selector : visibleText(name)}</span>{" "}
        <Hash felt={node.contract} to="contract" />{" "}
        {isLibrary ? <span class="badge plain">library call</span> : null} <CallState node={node} />
      </summary>
      <div class="call-body">
        <Failure node={node} cause={cause} />
        <div class="muted">
          {node.classHash === "0x0" ? null : (
            <>
              class <Hash felt={node.classHash} to="class" />
            </>
          )}
          {node.state === "traced" ? `, ${gasText(node.ownGas)} without inner calls` : null}
        </div>
        <Section title="Calldata" isEmpty={node.calldata.length === 0}>
          <Values list={inputs} />
        </Section>
        <Section title="Result" isEmpty={node.isReverted || node.result.length === 0}>
          <Values list={outputs} />
        </Section>
        {node.events.map((event, i) => (
          <Event key={i} node={node} of={of} {...event} />
        ))}
        {node.calls.map((call) => (
          <Call key={call.path} node={call} of={of} cause={cause} openDepth={openDepth} />
        ))}
      </div>
    </details>
  );
}

/** Why a call was reverted: its panic, or the reason of the transaction at the innermost call. */
function Failure({ node, cause }: { readonly node: CallNode; readonly cause: string | null }) {
  if (!node.isReverted) return null;
  const isInnermost = !node.calls.some((call) => call.isReverted);
  const said = node.panic === null ? "" : panicText(node.panic);
  const why = said || (isInnermost ? node.reason || (cause ?? "") : "");
  return (
    <>
      {why === "" ? null : <div class="notice bad">{visibleText(why)}</div>}
      {isInnermost || node.reason === "" ? null : (
        <details>
          <summary class="muted">Where it failed</summary>
          <pre tabIndex={0}>{visibleText(node.reason)}</pre>
        </details>
      )}
    </>
  );
}

function Section({
  title,
  isEmpty,
  children,
}: {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly children: unknown;
}) {
  if (isEmpty) return null;
  return (
    <div>
      <h3 class="muted">{title}</h3>
      {children as never}
    </div>
  );
}

function Event({
  node,
  of,
  keys,
  data,
}: {
  readonly node: CallNode;
  readonly of: Traced;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}) {
  const event = namedEvent(of.abis.get(feltText(node.classHash)), keys, data);
  return (
    <div>
      <h3 class="muted">Event {event === undefined ? "" : visibleText(event.name)}</h3>
      <Values
        list={event === undefined ? { values: [], rest: [...keys, ...data], problem: null } : event}
      />
    </div>
  );
}
