import { useState } from "hono/jsx/dom";
import { shortFelt, visibleText } from "../decode/visible-text.ts";
import { labelOf, labels } from "../state/labels.ts";
import { hrefOf } from "../state/route.ts";
import { useStore } from "../state/store.ts";

/** Time for which the button says that the text was copied, in milliseconds. */
const COPIED_MS = 1_200;

/** Button that copies a text to the clipboard. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <button
      type="button"
      class="quiet"
      title={`Copy ${what}`}
      aria-label={isCopied ? "copied" : `copy ${what}`}
      onClick={() => void copy()}
    >
      <span class={isCopied ? "icon copied" : "icon"} aria-hidden="true" />
    </button>
  );
}

/** Copies text where the browser has no clipboard interface, too: pages over plain HTTP. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Short felt or its label as text alone, for places that take no link or button: summaries that open at a click. */
export function HashText({ felt }: { readonly felt: string }) {
  const label = labelOf(felt, useStore(labels));
  return (
    <span class="hash" title={felt}>
      {label === undefined ? shortFelt(felt) : <span class="label">{visibleText(label)}</span>}
    </span>
  );
}

/** Kind of a felt that has a view. */
export type LinkKind = "block" | "tx" | "contract" | "class";

/** Felt in a fixed-width font: links to its view, shows its label and can be copied whole. */
export function Hash({
  felt,
  to,
  isWhole = false,
}: {
  readonly felt: string;
  /** View that it links to; none if absent. */
  readonly to?: LinkKind;
  /** Whether it is shown in full length. */
  readonly isWhole?: boolean;
}) {
  const label = labelOf(felt, useStore(labels));
  const text = isWhole ? felt : shortFelt(felt);
  const shown = label === undefined ? text : <span class="label">{visibleText(label)}</span>;
  return (
    <span class={isWhole ? "hash whole" : "hash"} title={felt}>
      {to === undefined ? <span>{shown}</span> : <a href={hrefOf(to, felt)}>{shown}</a>}
      {isWhole && label !== undefined ? <span>{felt}</span> : null}
      <Copy text={felt} what={felt} />
    </span>
  );
}
