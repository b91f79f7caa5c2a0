import type { ConfigOverride } from "#protocol/config/index.ts";

/** Nodes that use an option. A follower is a full node or a standby; a devnet is `--preset devnet`. */
export type OptionUser = "sequencer" | "full" | "follower" | "devnet";

/**
 * One option. Its parser, environment variable, help, documentation and completion derive from this
 * declaration, and so does the type of the setting that the code reads.
 */
export interface Option<T> {
  /** Name without dashes: `rpc-port`. */
  readonly flag: string;
  /** One letter that can be used after a single dash: `p` for `-p`. */
  readonly short?: string;
  /** Placeholder of the value in help (`PORT`); `undefined` for a switch. */
  readonly value: string | undefined;
  readonly summary: string;
  /** The default as shown in help; `undefined` without one. */
  readonly defaultText: string | undefined;
  /** Heading in help, and table in the documentation. */
  readonly group: string;
  /** Nodes for which the option has an effect; omitted if all of them use it. */
  readonly usedBy?: OptionUser;
  /** Summary in the help of one screen; omitted for options that it does not show. */
  readonly brief?: string;
  /** All values, for completion; omitted if they cannot be listed. */
  readonly words?: readonly string[];
  /** Expected form, for messages. */
  readonly expected: string;
  /** Whether the option may be repeated; `read` then receives all texts together. */
  readonly repeatable: boolean;
  /** Parses the texts (one, unless repeatable) to the setting; returns `undefined` when they are invalid. */
  readonly read: (texts: readonly string[]) => T | undefined;
  /** The setting when the option is not set. */
  readonly fallback: T;
  /**
   * Returns the chain configuration fields that the option sets, as YAML by name. Omitted for other options.
   *
   * @param value - the setting as text
   * @param overrides - explicit overrides of fields
   */
  readonly sets?: (value: string, overrides: readonly string[]) => Readonly<Record<string, string>>;
}

/** Options by the name of their setting. A table in a table declares a setting with members. */
export interface OptionTable {
  readonly [setting: string]: Option<unknown> | OptionTable;
}

/** The settings of a table. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V>
    ? V
    : T[K] extends OptionTable
      ? OptionValues<T[K]>
      : never;
};

/** Flags that were set, and whether on the command line or in the environment. */
export type FlagSources = ReadonlyMap<string, "line" | "environment">;

/** Environment variable of an option: `rpc-port` is `APPCHAIN_RPC_PORT`. */
export function environmentName(flag: string): string {
  return `APPCHAIN_${flag.replaceAll("-", "_").toUpperCase()}`;
}

/** Name of an option in messages, in the form it was set: `--rpc-host` or `APPCHAIN_RPC_HOST`. */
export function flagName(sources: FlagSources, flag: string): string {
  return sources.get(flag) === "environment" ? environmentName(flag) : `--${flag}`;
}

/** The options of a table and of the tables in it, in order. */
export function optionsIn(table: OptionTable): readonly Option<unknown>[] {
  return Object.values(table).flatMap((entry) => (isOption(entry) ? [entry] : optionsIn(entry)));
}

/** Creates the settings of a table from the value of each option. */
export function valuesOf<T extends OptionTable>(
  table: T,
  valueOf: (option: Option<unknown>) => unknown,
): OptionValues<T> {
  const values = Object.entries(table).map(([name, entry]) => [
    name,
    isOption(entry) ? valueOf(entry) : valuesOf(entry, valueOf),
  ]);
  return Object.fromEntries(values) as OptionValues<T>;
}

/** The settings of a table when no option is set. */
export function defaultsOf<T extends OptionTable>(table: T): OptionValues<T> {
  return valuesOf(table, ({ fallback }) => fallback);
}

/** Returns the settings of a table out of an object that has them among others. */
export function settingsOf<T extends OptionTable>(
  table: T,
  { ...settings }: OptionValues<T>,
): OptionValues<T> {
  const names = new Set(Object.keys(table));
  const own = Object.entries(settings).filter(([name]) => names.has(name));
  return Object.fromEntries(own) as OptionValues<T>;
}

/** The options of a table that are set to another value than their default. */
export function changedOptions<T extends OptionTable>(
  table: T,
  { ...settings }: OptionValues<T>,
): readonly { readonly option: Option<unknown>; readonly value: unknown }[] {
  const values: Readonly<Record<string, unknown>> = settings;
  return Object.entries(table).flatMap(([name, entry]) => {
    const value = values[name];
    if (isOption(entry)) return value === entry.fallback ? [] : [{ option: entry, value }];
    return changedOptions(entry, value as OptionValues<typeof entry>);
  });
}

/** Returns the chain configuration fields that the options of a table set. */
export function configSettings<T extends OptionTable>(
  table: T,
  settings: OptionValues<T>,
  sources: FlagSources,
  overrides: readonly string[],
): readonly ConfigOverride[] {
  return changedOptions(table, settings).flatMap(({ option: { flag, sets }, value }) => {
    const from = flagName(sources, flag);
    const fields = Object.entries(sets?.(String(value), overrides) ?? {});
    return fields.map(([field, text]) => ({ path: [field], text, from }));
  });
}

/** Finds the option of a word such as `--rpc-port`, `--rpc-port=1` or `-p`, regardless of its value. */
export function optionOf(
  word: string,
  options: Iterable<Option<unknown>>,
): Option<unknown> | undefined {
  const [name = ""] = word.split("=", 1);
  for (const option of options) {
    if (name === `--${option.flag}`) return option;
    if (option.short !== undefined && name === `-${option.short}`) return option;
  }
  return undefined;
}

function isOption(entry: Option<unknown> | OptionTable): entry is Option<unknown> {
  return typeof entry["read"] === "function";
}
