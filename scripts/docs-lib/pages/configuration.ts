import { allConfigRows, type ConfigFieldRow } from "#protocol/config/documentation.ts";
import { PRESETS } from "#protocol/config/index.ts";
import { PRESET_TEXTS } from "#protocol/config/preset-assets.ts";
import { parse } from "yaml";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Every field, those inside of others too; a field that several shapes have alike stands once. */
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

/** Values of a document by path; what has names or items of its own is shown by their number. */
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

/** What each preset sets; nothing where it leaves the default. */
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
      "A chain configuration is a YAML file, given with `--chain-config-path`, or one of the presets, given with `--preset`. Both together are the preset with the file on top: a field of the file takes the place of the whole field of the preset. `appchain config validate FILE` reports everything that is wrong with one, with lines, also what a new chain would refuse in its `genesis` section. `--chain-config-override FIELD=VALUE` changes single fields, `bouncer_config.block_max_capacity.n_events=100` inner ones; a field may be set once. Unknown fields are refused.",
      "A data directory belongs to one chain. A start is refused, with what the chain has and what is configured, when the chain id, a fee token, the `genesis` section or the constants of a protocol version that its blocks have are others, when `latest_protocol_version` is older than that of the newest block, and when a `--dev-` option says otherwise than the chain was made. Everything else may change from one start to the next.",
      "## Fields",
      "`[]` stands for each entry of a list, `NAME` for a name that the file chooses. Where a field has several forms, the words in parentheses say which one has the field.",
      fieldTable(),
      "## Presets",
      "What each preset sets; an empty cell is the default above. `mainnet`, `sepolia` and `integration` have the networks' identities and the newest protocol, `devnet` is for development, `appchain` is a chain of its own with limits in steps. All but `devnet` start empty.",
      presetTable(),
      "The [devnet preset](../presets/devnet.yaml) shows a `genesis` section, the [appchain preset](../presets/appchain.yaml) a `bouncer_config` with limits in steps, the [mainnet preset](../presets/mainnet.yaml) one with limits in Sierra gas, as the networks have.",
    ),
};
