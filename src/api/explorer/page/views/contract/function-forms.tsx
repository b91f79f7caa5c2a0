import { useRef, useState } from "hono/jsx/dom";
import type { Abi, AbiFunction } from "../../abi/abi.ts";
import { decodeFelts, type DecodedList } from "../../abi/decode.ts";
import { encodeValues } from "../../abi/encode.ts";
import { feltsOf } from "../../decode/calls.ts";
import { Card, Empty } from "../../parts/basic.tsx";
import { Fold } from "../../parts/fold.tsx";
import { Growing } from "../../parts/growing.tsx";
import { Values } from "../../parts/value.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { blockIdOf } from "../../rpc/block-id.ts";
import { messageOf } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { formValues, InputFields } from "./input-fields.tsx";

/** Forms that call the view functions of a contract, at any block. */
export function FunctionForms({ address, abi }: { readonly address: string; readonly abi: Abi }) {
  const [block, setBlock] = useState("latest");
  const views = abi.functions.filter((one) => one.kind === "function" && one.isView);
  if (views.length === 0) return <Empty>The ABI of this contract has no view functions.</Empty>;
  return (
    <Card title="View functions">
      <div class="body form">
        <label class="field">
          <span>Block: number, hash, latest or pre_confirmed</span>
          <input
            value={block}
            onInput={(event: Event) => setBlock((event.target as HTMLInputElement).value.trim())}
          />
        </label>
        <Growing of={views} what="functions">
          {(shown) =>
            shown.map((one) => (
              <Fold key={one.selector} summary={<code>{visibleText(one.name, 100)}</code>}>
                {() => <ReadForm of={one} address={address} abi={abi} block={block} />}
              </Fold>
            ))
          }
        </Growing>
      </div>
    </Card>
  );
}

function ReadForm({
  of,
  address,
  abi,
  block,
}: {
  readonly of: AbiFunction;
  readonly address: string;
  readonly abi: Abi;
  readonly block: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [result, setResult] = useState<DecodedList | null>(null);
  const [problem, setProblem] = useState("");
  const read = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (form.current === null) return;
    try {
      const calldata = encodeValues(abi, of.inputs, formValues(form.current, of.inputs));
      const request = { contract_address: address, entry_point_selector: of.selector, calldata };
      const response = await rpc.call("starknet_call", { request, block_id: blockIdOf(block) });
      setResult(decodeFelts(abi, of.outputs, feltsOf(response)));
      setProblem("");
    } catch (error) {
      setResult(null);
      setProblem(messageOf(error));
    }
  };
  return (
    <form ref={form} class="form" onSubmit={(event: Event) => void read(event)}>
      <InputFields fields={of.inputs} abi={abi} />
      <div class="row">
        <button type="submit">Call</button>
      </div>
      <div role="status">
        {problem === "" ? null : <div class="notice bad">{visibleText(problem)}</div>}
        {result === null ? null : <Values list={result} />}
      </div>
    </form>
  );
}
