import type { Abi, AbiFunction } from "../../abi/abi.ts";
import type { Field } from "../../abi/read-entry.ts";
import { visibleText } from "../../decode/visible-text.ts";
import { Card, Empty } from "../../parts/basic.tsx";
import { Growing } from "../../parts/growing.tsx";
import { Hash } from "../../parts/hash.tsx";
import { Table } from "../../parts/table.tsx";

/** Longest signature that is shown, in characters. */
const MAX_SIGNATURE = 600;
/** Parameters of a signature that are read: others would not be shown. */
const MAX_FIELDS = 100;

interface Line {
  readonly kind: string;
  readonly signature: string;
  readonly selector: string;
}

/** Functions and events of an ABI. */
export function AbiTable({ abi }: { readonly abi: Abi }) {
  const lines = [...abi.functions, ...abi.events];
  if (lines.length === 0) return <Empty>The ABI has no functions and no events.</Empty>;
  return (
    <Card>
      <Growing of={lines} what="functions and events">
        {(shown) => (
          <div class="scroll">
            <Table heads={["Kind", "Signature", "Selector"]}>
              {shown.map((one, i) => (
                <Row key={i} line={lineOf(one)} />
              ))}
            </Table>
          </div>
        )}
      </Growing>
    </Card>
  );
}

function Row({ line: { kind, signature, selector } }: { readonly line: Line }) {
  return (
    <tr>
      <td>{kind}</td>
      <td class="wide mono">{visibleText(signature, MAX_SIGNATURE)}</td>
      <td>
        <Hash felt={selector} />
      </td>
    </tr>
  );
}

function lineOf(entry: AbiFunction | Abi["events"][number]): Line {
  if ("selectors" in entry) {
    const { name, keys, data, selectors } = entry;
    const signature = `${name}(${fieldsText([...keys, ...data])})`;
    return { kind: "event", signature, selector: selectors[0] ?? "0x0" };
  }
  const { name, inputs, outputs, selector } = entry;
  const types = outputs.slice(0, MAX_FIELDS).map(({ type }) => type);
  const result = types.length === 0 ? "" : ` -> ${types.join(", ")}`;
  return { kind: kindOf(entry), signature: `${name}(${fieldsText(inputs)})${result}`, selector };
}

function kindOf({ kind, isView }: AbiFunction): string {
  if (kind !== "function") return kind.replace("_", " ");
  return isView ? "view" : "external";
}

function fieldsText(fields: readonly Field[]): string {
  return fields
    .slice(0, MAX_FIELDS)
    .map(({ name, type }) => `${name}: ${type}`)
    .join(", ");
}
