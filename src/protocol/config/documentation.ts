import { type ChainConfigText, chainConfigField } from "./chain-fields.ts";
import type { Member } from "./field.ts";
import { INNER_MEANINGS, MEANINGS } from "./meanings.ts";

/** A field of a chain configuration as documents show it. */
export interface ConfigFieldRow {
  /** Name in the YAML file; of a field inside of others the path. */
  readonly name: string;
  /** The shape of an outer field that has this one, where there are several; else empty. */
  readonly shape: string;
  /** What may stand there. */
  readonly form: string;
  /** The default as YAML text; `undefined` for a required field. */
  readonly fallback: string | undefined;
  /** `undefined` when nobody wrote it down. */
  readonly meaning: string | undefined;
  /** `false`: read and checked, but without effect in this version. */
  readonly inEffect: boolean;
}

/** Longest default that is written out. */
const MAX_DEFAULT_LENGTH = 100;

/** Every field of a chain configuration, in the order in which it is written. */
export function chainConfigRows(): readonly ConfigFieldRow[] {
  return Object.entries(chainConfigField.members).map(([key, member]) => ({
    ...rowOf(member as Member<unknown>, member.name, ""),
    meaning: MEANINGS[key as keyof ChainConfigText],
    inEffect: !NOT_IN_EFFECT.has(key as keyof ChainConfigText),
  }));
}

/** The same with the fields inside of others, each after the one that it stands in. */
export function allConfigRows(): readonly ConfigFieldRow[] {
  const members = Object.values(chainConfigField.members) as readonly Member<unknown>[];
  return chainConfigRows().flatMap((row) => {
    const member = members.find(({ name }) => name === row.name);
    const inner = member === undefined ? [] : rowsBelow(member, row.name, "");
    return [row, ...inner.map((found) => ({ ...found, inEffect: row.inEffect }))];
  });
}

function rowsBelow({ field }: Member<unknown>, path: string, outer: string): ConfigFieldRow[] {
  return (field.shapes ?? []).flatMap(({ name, place, members }) => {
    const shape = name === "" ? outer : name;
    return members.flatMap((member) => {
      const below = `${path}${place}.${member.name}`;
      return [rowOf(member, below, shape), ...rowsBelow(member, below, shape)];
    });
  });
}

function rowOf({ field, fallback }: Member<unknown>, name: string, shape: string): ConfigFieldRow {
  const all = name.replace(/[^.]+$/, "*");
  return {
    name,
    shape,
    form: field.describe,
    fallback: fallback && defaultText(field.write(fallback())),
    meaning: INNER_MEANINGS[name] ?? INNER_MEANINGS[all],
    inEffect: true,
  };
}

function defaultText(written: unknown): string {
  if (written === undefined) return "none";
  if (written === null) return "null";
  if (typeof written !== "object") return `${written as string | number | bigint | boolean}`;
  if (Array.isArray(written)) return written.length === 0 ? "[]" : "a list";
  const entries = Object.entries(written).map(([name, value]) => `${name}: ${defaultText(value)}`);
  const text = `{${entries.join(", ")}}`;
  return text.length > MAX_DEFAULT_LENGTH ? "those of its fields below" : text;
}

/** Fields for parts that are not built yet. */
const NOT_IN_EFFECT: ReadonlySet<keyof ChainConfigText> = new Set([
  "settlementChainKind",
  "ethGpsStatementVerifier",
  "blockProductionConcurrency",
]);
