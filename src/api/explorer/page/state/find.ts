import { type Abi, functionOf } from "../abi/abi.ts";
import { selectorOf } from "../abi/selector.ts";
import { KNOWN_SUBJECTS, knownSubjectsOf } from "../decode/known-names.ts";
import type { Labels } from "../decode/labels.ts";
import { existenceOf, lookupsOf, type SearchCall, type SubjectKind } from "../decode/search.ts";
import type { Json } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";

/** What a search needs of the page. */
export interface FindPort {
  /** Sends calls; a result or an error for each. */
  batch(calls: readonly SearchCall[]): Promise<readonly (Json | PageError)[]>;
  /** ABI of a class; an empty one if the node does not know the class. */
  abiOfClass(classHash: string): Promise<Abi>;
  /** Symbol of a token; empty if it has none. */
  symbolOf(token: string): Promise<string>;
  /** Addresses of the fee tokens by name in lower case. */
  readonly feeTokens: Readonly<Record<string, string>>;
  readonly labels: Labels;
}

/** Something that a search found. */
export interface Hit {
  readonly kind: string;
  /** Hash, address, number, or the name of a function. */
  readonly text: string;
  /** View and id that it links to; `null` for a felt that has none. */
  readonly link: {
    readonly view: (typeof VIEWS)[SubjectKind];
    readonly id: string;
  } | null;
  /** Whether it is what was searched, and not only contains it: a view may open if it is the only one. */
  readonly isSubject: boolean;
}

const VIEWS = {
  block: "block",
  transaction: "tx",
  contract: "contract",
  class: "class",
  l1: "l1",
} as const satisfies Readonly<Record<SubjectKind, string>>;

/** Order in which the kind of a labelled felt is tried. */
const LABELLED: readonly SubjectKind[] = ["contract", "class", "transaction", "block", "l1"];

interface Candidate {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly title: string;
}

/**
 * Returns everything that a text names: labels, blocks, transactions, contracts and classes by number, hash or address,
 * known contracts and classes, fee tokens by name or symbol, functions of the shipped classes by name or selector, and
 * the felts of a name.
 *
 * @throws {PageError} when the node does not respond
 */
export async function findHits(text: string, port: FindPort): Promise<readonly Hit[]> {
  const lookups = lookupsOf(text);
  if (lookups.length === 0) return [];
  const direct = lookups.flatMap(({ kind, id, call }): readonly Candidate[] =>
    call === null || !(kind in VIEWS)
      ? []
      : [{ kind: kind as SubjectKind, id, title: titleOf(kind) }],
  );
  const known = knownSubjectsOf(text).map(({ kind, id, name }) => ({
    kind,
    id,
    title: `${name} (${kind})`,
  }));
  const [labelled, subjects, tokens, functions] = await Promise.all([
    labelHits(text, port),
    existing([...direct, ...known], port),
    tokenHits(text, port),
    functionHits(text, port),
  ]);
  const felts = lookups.flatMap(({ kind, id }) => feltHits(kind, id, text));
  return [...labelled, ...subjects, ...tokens, ...functions, ...felts];
}

function titleOf(kind: string): string {
  return kind === "l1" ? "transaction on L1" : kind;
}

async function existing(candidates: readonly Candidate[], port: FindPort): Promise<readonly Hit[]> {
  const results = await port.batch(candidates.map(({ kind, id }) => existenceOf(kind, id)));
  return candidates
    .filter((_, i) => !(results[i] instanceof PageError))
    .map(({ kind, id, title }) => hit(title, id, kind, id));
}

/** Labels whose name contains the text, with the view of what they name; of a contract if this chain has no such thing. */
async function labelHits(text: string, { labels, batch }: FindPort): Promise<readonly Hit[]> {
  const wanted = text.trim().toLowerCase();
  const found = [...labels].filter(([, name]) => name.toLowerCase().includes(wanted));
  const calls = found.flatMap(([felt]) => LABELLED.map((kind) => existenceOf(kind, felt)));
  const results = await batch(calls);
  return found.map(([felt, name], i) => {
    const kind = LABELLED.find(
      (_, at) => !(results[i * LABELLED.length + at] instanceof PageError),
    );
    return hit(`Label “${name}”`, felt, kind ?? "contract", felt);
  });
}

/** Fee tokens of the chain, by the name that the node gives them or by their own symbol. */
async function tokenHits(text: string, port: FindPort): Promise<readonly Hit[]> {
  const wanted = text.trim().toLowerCase();
  const hits = Object.entries(port.feeTokens).map(async ([name, address]) => {
    const symbol = await port.symbolOf(address);
    return name === wanted || symbol.toLowerCase() === wanted
      ? [hit(`Fee token ${symbol || name.toUpperCase()}`, address, "contract", address)]
      : [];
  });
  return (await Promise.all(hits)).flat();
}

/** Functions of the shipped classes that have a name or a selector. */
async function functionHits(text: string, port: FindPort): Promise<readonly Hit[]> {
  const wanted = text.trim();
  const isName = /^[A-Za-z_]\w*$/.test(wanted);
  const selector = isName ? selectorOf(wanted) : lookupsOf(text).find(isSelector)?.id;
  if (selector === undefined) return [];
  const classes = KNOWN_SUBJECTS.filter(({ kind }) => kind === "class");
  const hits = classes.map(async ({ id, name }) => {
    const found = functionOf(await port.abiOfClass(id), selector);
    if (found === undefined) return [];
    const one = hit(`Function of the class “${name}”`, found.name, "class", id);
    return [{ ...one, isSubject: false }];
  });
  return (await Promise.all(hits)).flat();
}

function isSelector({ kind }: { readonly kind: string }): boolean {
  return kind === "selector";
}

/** A selector and the felt of a short string are shown without a view. */
function feltHits(kind: string, id: string, text: string): readonly Hit[] {
  const felt = { text: id, link: null, isSubject: false };
  if (kind === "text") return [{ kind: "Felt of this short string", ...felt }];
  // A searched felt is itself the selector, if it is one.
  const isFelt = /^\s*(0x|\d)/i.test(text);
  return kind === "selector" && !isFelt ? [{ kind: "Selector of this name", ...felt }] : [];
}

function hit(kind: string, text: string, view: SubjectKind, id: string): Hit {
  return { kind, text, link: { view: VIEWS[view], id }, isSubject: true };
}
