import { useRef, useState } from "hono/jsx/dom";
import { Card, Empty } from "../parts/basic.tsx";
import { Hash } from "../parts/hash.tsx";
import { labels, replaceLabels, setLabel } from "../state/labels.ts";
import { isFelt } from "../abi/felt.ts";
import { labelsOf, labelsText } from "../decode/labels.ts";
import { visibleText } from "../decode/visible-text.ts";
import { useStore } from "../state/store.ts";

/** Names that the user gives to addresses. They stay in this browser. */
export function LabelsView() {
  const all = [...useStore(labels)];
  return (
    <>
      <div class="title">
        <h1>Labels</h1>
        <span class="sub">Names for addresses and hashes. They stay in this browser.</span>
      </div>
      <NewLabel />
      <Card title="All labels" more={<Transfer />}>
        {all.length === 0 ? (
          <Empty>No label yet.</Empty>
        ) : (
          <table>
            <tbody>
              {all.map(([felt, name]) => (
                <tr key={felt}>
                  <td>{visibleText(name)}</td>
                  <td class="wide">
                    <Hash felt={felt} to="contract" isWhole />
                  </td>
                  <td class="num">
                    <button type="button" onClick={() => setLabel(felt, "")}>
                      Remove
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
    </>
  );
}

function NewLabel() {
  const felt = useRef<HTMLInputElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  const add = (event: Event): void => {
    event.preventDefault();
    const text = felt.current?.value.trim() ?? "";
    if (!isFelt(text)) return setProblem("An address is 0x and up to 64 hexadecimal digits.");
    setProblem("");
    setLabel(text, name.current?.value ?? "");
    if (felt.current) felt.current.value = "";
    if (name.current) name.current.value = "";
  };
  return (
    <Card title="New label">
      <form class="body form" onSubmit={add}>
        <label class="field">
          <span>Address or hash</span>
          <input
            ref={felt}
            name="address"
            placeholder="0x…"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <label class="field">
          <span>Name</span>
          <input ref={name} name="label" maxLength={60} />
        </label>
        <div class="row">
          <button class="primary" type="submit">
            Add
          </button>
          <span class="bad-text" role="alert">
            {problem}
          </span>
        </div>
      </form>
    </Card>
  );
}

function Transfer() {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState("");
  const load = async (): Promise<void> => {
    const text = await input.current?.files?.[0]?.text();
    if (text === undefined) return;
    const read = labelsOf(text);
    replaceLabels(new Map([...labels.value, ...read.labels]));
    setOutcome(visibleText([`${read.labels.size} labels imported.`, ...read.problems].join(" ")));
  };
  const save = (): void => {
    const blob = new Blob([labelsText(labels.value)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = "appchain-labels.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <span class="row">
      <span role="status">{outcome}</span>
      <input
        ref={input}
        type="file"
        accept="application/json"
        class="visually-hidden"
        aria-label="File with labels"
        // The button opens it: a focus on this field could not be seen.
        tabIndex={-1}
        onChange={() => void load()}
      />
      <button type="button" onClick={() => input.current?.click()}>
        Import
      </button>
      <button type="button" onClick={save}>
        Export
      </button>
    </span>
  );
}
