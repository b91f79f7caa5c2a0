import { allConfigRows, type ConfigFieldRow } from "#protocol/config/documentation.ts";
import { PRESETS } from "#protocol/config/index.ts";
import { PRESET_TEXTS } from "#protocol/config/preset-assets.ts";
import { parse } from "yaml";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Every field, nested ones included; a field that is the same in several shapes is listed once. */
export function fieldTable(): string {
  const rows: ConfigFieldRow[] = [];
  for (const row of allConfigRows()) {
    const { name, form, fallback } = row;
    const same = rows.find(
      (other) => other.name === name && other.form === form && other.fallback === fallback,
    );
    if (same === undefined) rows.push(row);
    else rows[rows.indexOf(same)] = { ...same, shape: "" };
  }
  return table(
    ["field", "form", "default", "meaning"],
    rows.map(({ name, shape, form, fallback, meaning = "", inEffect }) => [
      shape === "" ? code(name) : `${code(name)} (${shape})`,
      form,
      fallback ?? "required",
      inEffect ? meaning : `${meaning} (no effect yet)`,
    ]),
  );
}

/** Values of a document by path; of lists, contracts and constants files only the number is shown. */
function leavesOf(value: unknown, path = ""): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) return [[path, `${value.length} of them`]];
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  const entries = Object.entries(value);
  if (/^(genesis\.contracts|versioned_constants)$/.test(path)) {
    return [[path, `${entries.length} of them`]];
  }
  return entries.flatMap(([name, inner]) =>
    leavesOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

/** Values of each preset; an empty cell for the default. */
export function presetTable(): string {
  const presets = PRESETS.map(
    (name) => new Map(leavesOf(parse(PRESET_TEXTS[name], { intAsBigInt: true }))),
  );
  const paths = [...new Set(presets.flatMap((leaves) => [...leaves.keys()]))];
  const order = allConfigRows().map(({ name }) => name);
  paths.sort((left, right) => order.indexOf(left) - order.indexOf(right));
  return table(
    ["field", ...PRESETS],
    paths.map((path) => [code(path), ...presets.map((leaves) => leaves.get(path) ?? "")]),
  );
}

/** The chain configuration. */
export const configurationPage: Page = {
  file: "configuration.md",
  title: "Chain configuration",
  from: "src/protocol/config and presets",
  body: () =>
    parts(
      "A chain configuration is a YAML file (`--chain-config-path`) or one of the presets (`--preset`). With both, the file is applied on top of the preset: a field of the file replaces the whole field of the preset. `appchain config validate FILE` reports all errors of a file, with line numbers, including those that a new chain would find in its `genesis` section. `--chain-config-override FIELD=VALUE` changes single fields, `bouncer_config.block_max_capacity.n_events=100` nested ones; a field may be set only once. Unknown fields are refused.",
      "A data directory belongs to one chain. A start is refused, with the chain's value and the configured one, if one of these differs: the chain id, a fee token, the `genesis` section, or the constants of a protocol version that its blocks have. It is also refused if `latest_protocol_version` is older than that of the newest block, or if a `--dev-` option differs from the one with which the chain was created. Everything else may change from one start to the next.",
      "## Fields",
      "`[]` means each entry of a list, `NAME` a name that the file chooses. If a value has several forms, the words in parentheses name the form that has the field.",
      fieldTable(),
      "## Presets",
      "The table has the values of each preset; an empty cell is the default above. `mainnet`, `sepolia` and `integration` have the networks' identities and the newest protocol, `devnet` is for development, `appchain` is a separate chain with limits in steps. All but `devnet` start empty.",
      presetTable(),
      "The [devnet preset](../presets/devnet.yaml) shows a `genesis` section, the [appchain preset](../presets/appchain.yaml) a `bouncer_config` with limits in steps, the [mainnet preset](../presets/mainnet.yaml) one with limits in Sierra gas, as the networks have.",
    ),
};
