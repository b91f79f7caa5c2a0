import { mainCallOf } from "../../decode/call-tree.ts";
import { feltsOf } from "../../decode/calls.ts";
import { failedTreeOf } from "../../decode/failed-tree.ts";
import { multicallOf, namedRunCall, type RunCall } from "../../decode/multicall.ts";
import { namedCall, namedNode } from "../../decode/named-calls.ts";
import { visibleText } from "../../decode/visible-text.ts";
import { Card } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { Values } from "../../parts/value.tsx";
import { feltText } from "../../abi/felt.ts";
import { textOf } from "../../rpc/json.ts";
import { CallState } from "./call-state.tsx";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Most calls of a multicall that are shown. */
const SHOWN = 100;

/** Calls of an invoke, decoded; for other transactions their calldata. */
export function Calls({ of }: { readonly of: LoadedTransaction }) {
  const { transaction, tree, revert, abis, classes } = of;
  const calldata = feltsOf(transaction["calldata"] ?? transaction["constructor_calldata"]);
  if (calldata.length === 0) return null;
  const ran = tree === null ? undefined : mainCallOf(tree);
  const root = ran ?? (revert === null ? undefined : failedTreeOf(revert, calldata, classes));
  const calls = transaction["type"] === "INVOKE" ? multicallOf(calldata, root) : undefined;
  if (calls !== undefined) {
    return (
      <Card title={calls.length === 1 ? "Call" : `${calls.length} calls`}>
        <div class="body form">
          <CallList calls={calls} of={of} />
        </div>
      </Card>
    );
  }
  const construction = tree?.phases.find(({ name }) => name === "Constructor")?.root;
  const node = ran ?? construction;
  const selector = textOf(transaction["entry_point_selector"]);
  const contract = feltText(transaction["contract_address"]);
  const abi = abis.get(classes.get(contract) ?? feltText(transaction["class_hash"]));
  const named =
    node === undefined
      ? namedCall(abi, selector, calldata, [])
      : namedNode(abis, { ...node, calldata });
  return (
    <Card
      title="Calldata"
      more={named.name === undefined ? undefined : <code>{visibleText(named.name, 100)}</code>}
    >
      <div class="body">
        <Values list={named.inputs} />
      </div>
    </Card>
  );
}

function CallList({
  calls,
  of,
}: {
  readonly calls: readonly RunCall[];
  readonly of: LoadedTransaction;
}) {
  return (
    <>
      {calls.slice(0, SHOWN).map((call, i) => (
        <OneCall key={i} call={call} of={of} />
      ))}
      {calls.length > SHOWN ? (
        <span class="muted">and {calls.length - SHOWN} more: see the call tree</span>
      ) : null}
    </>
  );
}

function OneCall({ call, of }: { readonly call: RunCall; readonly of: LoadedTransaction }) {
  const { name, inputs } = namedRunCall(call, of.abis, of.classes);
  return (
    <section class="call">
      <h3 class="row">
        <code>{name === undefined ? call.selector : visibleText(name, 100)}</code> of{" "}
        <Hash felt={call.to} to="contract" />
        {call.node === undefined ? null : <CallState node={call.node} />}
      </h3>
      <Values list={inputs} />
      {call.calls.length === 0 ? null : (
        <div class="value-children form">
          <CallList calls={call.calls} of={of} />
        </div>
      )}
    </section>
  );
}
