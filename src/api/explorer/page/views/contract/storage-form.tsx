import { useRef, useState } from "hono/jsx/dom";
import { selectorOf } from "../../abi/selector.ts";
import { Card } from "../../parts/basic.tsx";
import { formText } from "../../parts/form-text.ts";
import { InitialInput } from "../../parts/initial-input.tsx";
import { FeltText } from "../../parts/value.tsx";
import { blockIdOf } from "../../rpc/block-id.ts";
import { textOf } from "../../rpc/json.ts";
import { messageOf } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";

/** Reads one storage key, by its felt or by the name of a variable. */
export function StorageForm({ address }: { readonly address: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState("");
  const read = async (event: Event): Promise<void> => {
    event.preventDefault();
    const data = new FormData(form.current ?? undefined);
    const text = formText(data, "key").trim();
    const key = /^0x[0-9a-fA-F]+$/.test(text) ? text : selectorOf(text);
    const block_id = blockIdOf(formText(data, "block").trim());
    try {
      setValue(
        textOf(
          await rpc.call("starknet_getStorageAt", { contract_address: address, key, block_id }),
        ),
      );
      setProblem("");
    } catch (error) {
      setValue("");
      setProblem(messageOf(error));
    }
  };
  return (
    <Card title="Storage">
      <form ref={form} class="body form" onSubmit={(event: Event) => void read(event)}>
        <label class="field">
          <span>Key: 0x…, or the name of a variable</span>
          <input name="key" autocomplete="off" spellcheck={false} required />
        </label>
        <label class="field">
          <span>Block: number, hash, latest or pre_confirmed</span>
          <InitialInput name="block" initial="latest" />
        </label>
        <div class="row">
          <button type="submit">Read</button>
        </div>
        <div role="status">
          {problem === "" ? null : <div class="notice bad">{problem}</div>}
          {value === "" ? null : <FeltText felt={value} />}
        </div>
      </form>
    </Card>
  );
}
