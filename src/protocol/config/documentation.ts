import { type ChainConfigText, chainConfigField } from "./chain-fields.ts";
import type { Member } from "./field.ts";
import { INNER_MEANINGS, MEANINGS } from "./meanings.ts";

/** Row of the generated table that documents the fields of a chain configuration. */
export interface ConfigFieldRow {
  /** Name in the YAML file; the path for nested fields. */
  readonly name: string;
  /** Shape of the outer field that has this one, if it has several; otherwise empty. */
  readonly shape: string;
  readonly form: string;
  /** Default as YAML text; `undefined` for a required field. */
  readonly fallback: string | undefined;
  /** Purpose of the field; `undefined` if undocumented. */
  readonly meaning: string | undefined;
  /** `false` for fields that are read and checked, but have no effect in this version. */
  readonly inEffect: boolean;
}

/** Maximum length of a default that is shown in full. */
const MAX_DEFAULT_LENGTH = 100;

/** All top-level fields of a chain configuration, in file order. */
export function chainConfigRows(): readonly ConfigFieldRow[] {
  return Object.entries(chainConfigField.members).map(([key, member]) => ({
    ...rowOf(member as Member<unknown>, member.name, ""),
    meaning: MEANINGS[key as keyof ChainConfigText],
    inEffect: !NOT_IN_EFFECT.has(key as keyof ChainConfigText),
  }));
}

/** {@link chainConfigRows} with nested fields, each after its outer field. */
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
  return text.length > MAX_DEFAULT_LENGTH ? "the defaults of its fields below" : text;
}

/** Fields of unimplemented features. */
const NOT_IN_EFFECT: ReadonlySet<keyof ChainConfigText> = new Set([
  "settlementChainKind",
  "ethGpsStatementVerifier",
  "blockProductionConcurrency",
]);
