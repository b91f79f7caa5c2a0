import { useRef, useState } from "hono/jsx/dom";
import { callTreeOf } from "../../decode/call-tree.ts";
import { feltsOf } from "../../decode/calls.ts";
import { overridesOf } from "../../decode/overrides.ts";
import { withRevertedCalls } from "../../decode/reverted-calls.ts";
import { unfoldRevert } from "../../decode/revert-reason.ts";
import { feeText } from "../../decode/amounts.ts";
import { Card, Empty } from "../../parts/basic.tsx";
import { formText } from "../../parts/form-text.ts";
import { InitialInput } from "../../parts/initial-input.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { blockIdOf } from "../../rpc/block-id.ts";
import { type JsonObject, numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { messageOf, PageError } from "../../rpc/page-error.ts";
import { api, rpc } from "../../state/chain.ts";
import { abisOf, classesAt } from "../../state/classes.ts";
import { CallTreeView, type Traced } from "./call-tree-view.tsx";
import { classesThatRan, type LoadedTransaction, targetsOf } from "./load-transaction.ts";
import { OverrideFields } from "./override-fields.tsx";

/** Longest calldata that the form takes, in felts; transactions of Starknet have at most 5 000. */
const MOST_FELTS = 10_000;

/** Result of a simulation. */
interface Simulated extends Traced {
  readonly fee: string;
}

/**
 * Runs an invoke again, next to the original: at another block, by another sender, with other calldata, storage values or
 * classes.
 */
export function SimulateView({ of }: { readonly of: LoadedTransaction }) {
  const form = useRef<HTMLFormElement>(null);
  const [simulated, setSimulated] = useState<Simulated | null>(null);
  const [problem, setProblem] = useState("");
  const { transaction, block } = of;
  if (transaction["type"] !== "INVOKE" || textOf(transaction["sender_address"]) === "") {
    return <Empty>The node simulates invokes of accounts; this is another transaction.</Empty>;
  }
  const calldata = feltsOf(transaction["calldata"]);
  if (calldata.length > MOST_FELTS) {
    return <Empty>The calldata of this transaction is too long for the form.</Empty>;
  }
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      setSimulated(await simulate(transaction, new FormData(form.current ?? undefined)));
      setProblem("");
    } catch (error) {
      setSimulated(null);
      setProblem(messageOf(error));
    }
  };
  const before = (numberOf(block?.["block_number"]) ?? 1) - 1;
  return (
    <>
      <Card title="Run it again">
        <form ref={form} class="body form" onSubmit={(event: Event) => void run(event)}>
          <label class="field">
            <span>On the state after block: number, hash, latest or pre_confirmed</span>
            <InitialInput
              name="block"
              initial={block === null ? "pre_confirmed" : String(before)}
            />
          </label>
          <label class="field">
            <span>Sender</span>
            <InitialInput name="sender" initial={textOf(transaction["sender_address"])} />
          </label>
          <label class="field">
            <span>Calldata: felts, separated by blanks or commas</span>
            <textarea name="calldata" spellcheck={false}>
              {calldata.join("\n")}
            </textarea>
          </label>
          <OverrideFields />
          <div class="row">
            <button type="submit" class="primary">
              Simulate
            </button>
            <span class="muted">Signatures are not checked, and no fee is charged.</span>
          </div>
          {problem === "" ? null : (
            <div class="notice bad" role="alert">
              {visibleText(problem)}
            </div>
          )}
        </form>
      </Card>
      {simulated === null ? null : (
        <div class="columns">
          <section>
            <h2>Simulated: {simulated.fee}</h2>
            <CallTreeView of={simulated} />
          </section>
          <section>
            <h2>Original</h2>
            <CallTreeView of={of} />
          </section>
        </div>
      )}
    </>
  );
}

async function simulate(transaction: JsonObject, data: FormData): Promise<Simulated> {
  const block_id = blockIdOf(formText(data, "block").trim());
  const sender_address = formText(data, "sender").trim();
  const calldata = formText(data, "calldata")
    .split(/[\s,]+/)
    .filter((felt) => felt !== "");
  const wrong = calldata.find((felt) => !/^0x[0-9a-fA-F]{1,64}$/.test(felt));
  if (wrong !== undefined) {
    throw new PageError(`“${wrong.slice(0, 70)}” is no felt: 0x and hexadecimal digits.`);
  }
  const nonce = await rpc.call("starknet_getNonce", { block_id, contract_address: sender_address });
  const { transaction_hash: _, ...sent } = transaction;
  const simulated = { ...sent, sender_address, calldata, nonce };
  const result = await api.post("simulate", {
    block_id,
    transactions: [simulated],
    simulation_flags: ["SKIP_VALIDATE", "SKIP_FEE_CHARGE"],
    overrides: {
      storage: overridesOf(formText(data, "storage"), "storage"),
      classes: overridesOf(formText(data, "classes"), "classes"),
    },
  });
  const { trace, failure, fee_estimation } = result;
  if (textOf(failure) !== "") throw new PageError(textOf(failure));
  const tree = withRevertedCalls(callTreeOf(trace), result);
  const { overall_fee, unit } = objectOf(fee_estimation);
  const revert = tree.revertReason === null ? null : unfoldRevert(tree.revertReason);
  const classes = await classesAt(targetsOf(simulated), block_id);
  const abis = await abisOf([...classesThatRan(tree, revert), ...classes.values()]);
  return {
    transaction: simulated,
    tree,
    trace: objectOf(trace),
    abis,
    classes,
    revert,
    traceProblem: "",
    fee: feeText(textOf(overall_fee), textOf(unit)),
  };
}
