import type { DecodedList } from "../../abi/decode.ts";
import type { CallNode } from "../../decode/call-tree.ts";
import { functionOfNode, namedNode } from "../../decode/named-calls.ts";
import { namedEvent } from "../../decode/named-event.ts";
import { panicText } from "../../decode/panic.ts";
import type { RevertReason } from "../../decode/revert-reason.ts";
import { gasText } from "../../decode/amounts.ts";
import { Card, Empty, Loading } from "../../parts/basic.tsx";
import { Hash, HashText } from "../../parts/hash.tsx";
import { Values } from "../../parts/value.tsx";
import { shortFelt, visibleText } from "../../decode/visible-text.ts";
import { openCallsOf } from "../../decode/open-calls.ts";
import { Fold } from "../../parts/fold.tsx";
import { Growing } from "../../parts/growing.tsx";
import { feltsOf } from "../../decode/calls.ts";
import { failedTreeOf } from "../../decode/failed-tree.ts";
import { feltText } from "../../abi/felt.ts";
import { CallState } from "./call-state.tsx";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Phases that do the work; the others are shown after them, closed. */
const MAIN_PHASES: ReadonlySet<string> = new Set(["Execution", "L1 handler", "Constructor"]);

/** Calls of the main phases that are open at first, by depth. */
const OPEN_DEPTH = 3;

/** Longest name of a function that is shown, in characters. */
const MAX_NAME = 100;

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
              open={openCallsOf(root, MAIN_PHASES.has(name) ? OPEN_DEPTH : 0)}
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
        <Call node={root} of={of} cause={cause} open={openCallsOf(root, OPEN_DEPTH)} />
      </div>
    </Card>
  );
}

interface CallPart {
  readonly node: CallNode;
  readonly of: Traced;
  /** Why the execution was reverted; `null` if it was not. */
  readonly cause: string | null;
  /** Paths of the calls that are open at first. */
  readonly open: ReadonlySet<string>;
}

function Call(part: CallPart) {
  const { node, of, open } = part;
  const name = functionOfNode(of.abis, node)?.name;
  const summary = (
    <>
      {node.state === "traced" ? <span class="call-gas">{gasText(node.gas)}</span> : null}
      <span class="call-name">
        {name === undefined ? shortFelt(node.selector) : visibleText(name, MAX_NAME)}
      </span>{" "}
      <HashText felt={node.contract} />{" "}
      {node.callType === "CALL" ? null : <span class="badge plain">library call</span>}{" "}
      <CallState node={node} />
    </>
  );
  return (
    <Fold
      summary={summary}
      isOpen={open.has(node.path)}
      class={node.isReverted ? "reverted" : undefined}
    >
      {() => <CallBody {...part} />}
    </Fold>
  );
}

function CallBody({ node, of, cause, open }: CallPart) {
  const { name, inputs, outputs } = namedNode(of.abis, node);
  return (
    <div class="call-body">
      <Failure node={node} cause={cause} />
      <div class="muted">
        contract <Hash felt={node.contract} to="contract" />
        {node.classHash === "0x0" ? null : (
          <>
            {" "}
            class <Hash felt={node.classHash} to="class" />
          </>
        )}
        {name === undefined ? (
          <>
            {" "}
            selector <Hash felt={node.selector} />
          </>
        ) : null}
        {node.state === "traced" ? `, ${gasText(node.ownGas)} without inner calls` : null}
      </div>
      <Calldata node={node} inputs={inputs} />
      <Section title="Result" isEmpty={node.isReverted || node.result.length === 0}>
        <Values list={outputs} />
      </Section>
      <Growing of={node.events} what="events">
        {(shown) => shown.map((event, i) => <Event key={i} node={node} of={of} {...event} />)}
      </Growing>
      <Growing of={node.calls} what="calls">
        {(shown) =>
          shown.map((call) => (
            <Call key={call.path} node={call} of={of} cause={cause} open={open} />
          ))
        }
      </Growing>
      {node.isCut ? (
        <span class="muted">Further calls are not shown: the trace is too large.</span>
      ) : null}
    </div>
  );
}

/** Arguments of a call; closed where the calls that it made say the same, as those of an account do. */
function Calldata({ node, inputs }: { readonly node: CallNode; readonly inputs: DecodedList }) {
  if (node.calldata.length === 0) return null;
  const values = () => <Values list={inputs} />;
  return node.calls.length > 0 ? (
    <Fold summary="Calldata">{values}</Fold>
  ) : (
    <Section title="Calldata" isEmpty={false}>
      {values()}
    </Section>
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
