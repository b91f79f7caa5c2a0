import { feltText, isFelt } from "../abi/felt.ts";
import { type Labels, labelsOf, labelsText, MAX_LABEL } from "../decode/labels.ts";
import { Store } from "./store.ts";

const KEY = "appchain.labels";

/** Labels of this browser. */
export const labels = new Store<Labels>(stored());

/** Sets a label, or removes it if the name is empty. */
export function setLabel(felt: string, name: string): void {
  const next = new Map(labels.value);
  const trimmed = name.trim().slice(0, MAX_LABEL);
  if (trimmed === "") next.delete(feltText(felt));
  else next.set(feltText(felt), trimmed);
  replaceLabels(next);
}

/** Replaces all labels. */
export function replaceLabels(next: Labels): void {
  labels.set(next);
  try {
    globalThis.localStorage.setItem(KEY, labelsText(next));
  } catch {
    // A browser that stores nothing keeps the labels until the page is closed.
  }
}

/** Returns the label of an address or hash; `undefined` if none. */
export function labelOf(felt: string, of: Labels): string | undefined {
  return isFelt(felt) ? of.get(feltText(felt)) : undefined;
}

function stored(): Labels {
  try {
    return labelsOf(globalThis.localStorage?.getItem(KEY) ?? "{}").labels;
  } catch {
    return new Map();
  }
}
