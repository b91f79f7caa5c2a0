import { useRef, useState } from "hono/jsx/dom";
import { Card, Empty, Show } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { formText } from "../../parts/form-text.ts";
import { visibleText } from "../../decode/visible-text.ts";
import { blockIdOf } from "../../rpc/block-id.ts";
import type { Json, JsonObject } from "../../rpc/json.ts";
import { messageOf } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { fundedAccounts } from "../../state/send.ts";
import { useStore } from "../../state/store.ts";
import { CONTROLS, type Control, type ControlField } from "./controls.ts";
import { Table } from "../../parts/table.tsx";

/** Controls of a devnet: blocks, time, tokens, impersonation, prices, messages. */
export function ControlView() {
  const isDevnet = useStore(nodeStatus)?.["devnet"] === true;
  if (!isDevnet) return <Empty>This chain has no development features.</Empty>;
  return (
    <>
      <div class="title">
        <h1>Control panel</h1>
      </div>
      <div class="columns">
        {CONTROLS.map((control) => (
          <ControlForm key={control.title} control={control} />
        ))}
      </div>
      <Accounts />
    </>
  );
}

function ControlForm({ control }: { readonly control: Control }) {
  const { title, text, method, fields, button } = control;
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<{
    readonly isGood: boolean;
    readonly text: string;
  } | null>(null);
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const result = await rpc.call(
        method,
        paramsOf(fields, new FormData(form.current ?? undefined)),
      );
      setOutcome({
        isGood: true,
        text: result === null ? "Done." : JSON.stringify(result, null, 1),
      });
    } catch (error) {
      setOutcome({ isGood: false, text: messageOf(error) });
    }
  };
  return (
    <Card title={title}>
      <form ref={form} class="body form" onSubmit={(event: Event) => void run(event)}>
        <span class="muted">{text}</span>
        {fields.map((field) => (
          <label key={field.name} class="field">
            <span>{field.text}</span>
            <input
              name={field.name}
              placeholder={field.placeholder}
              autocomplete="off"
              spellcheck={false}
            />
          </label>
        ))}
        <div class="row">
          <button type="submit">{button}</button>
          <code class="muted">{method}</code>
        </div>
        {outcome === null ? null : (
          <div class={outcome.isGood ? "notice good mono" : "notice bad"} role="status">
            {visibleText(outcome.text, 600)}
          </div>
        )}
      </form>
    </Card>
  );
}

function paramsOf(fields: readonly ControlField[], data: FormData): JsonObject {
  const params: Record<string, Json> = {};
  for (const { name, kind } of fields) {
    const text = formText(data, name).trim();
    if (text === "") continue;
    switch (kind) {
      case "number":
        params[name] = /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
        break;
      case "block":
        params[name] = blockIdOf(text);
        break;
      case "text":
        params[name] = text;
    }
  }
  return params;
}

function Accounts() {
  const loaded = useLoad("funded accounts", () => fundedAccounts());
  return (
    <Card title="Funded accounts">
      <Show loaded={loaded} what="accounts">
        {(accounts) => (
          <div class="scroll">
            <Table heads={[{ num: "No." }, "Address", "Private key (for development only)"]}>
              {accounts.map(({ address, privateKey }, i) => (
                <tr key={address}>
                  <td class="num">{i}</td>
                  <td>
                    <Hash felt={address} to="contract" />
                  </td>
                  <td>
                    <Hash felt={privateKey} />
                  </td>
                </tr>
              ))}
            </Table>
          </div>
        )}
      </Show>
    </Card>
  );
}
