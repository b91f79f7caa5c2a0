import { COMMANDS, nodeOptions, type OptionTable } from "#app/cli/index.ts";
import { rpcCallOptions } from "#app/cli/rpc-call-options.ts";
import { chainConfigRows } from "#protocol/config/documentation.ts";
import { createNodeMetrics } from "#base/telemetry/metrics.ts";
import { code, table } from "./markdown.ts";

/** The commands, then the options of a node, then those of `rpc call`. */
export function cliTables(): string {
  const commands = COMMANDS.filter(({ path }) => path.length > 0).map(
    ({ path, positionals, summary }) => {
      const words = positionals.words.map(({ name }, i) =>
        i < positionals.min ? name : `[${name}]`,
      );
      return [code(["appchain", ...path, ...words].join(" ")), summary];
    },
  );
  return [
    table(["command", "does"], commands),
    "Options of `node`, `sequencer` and of the form without a command (`config validate` and `config show` take `--preset`, `--chain-config-path`, `--chain-config-override`, `--block-time` and `--l2-gas-price`):",
    optionTable(nodeOptions),
    "Options of `rpc call`:",
    optionTable(rpcCallOptions),
  ].join("\n\n");
}

function optionTable(options: OptionTable): string {
  const rows = Object.values(options).map(({ flag, short, value, ...row }) => [
    [
      short === undefined ? "" : `${code(`-${short}`)}, `,
      code(value === undefined ? `--${flag}` : `--${flag} ${value}`),
    ].join(""),
    row.defaultText ?? "",
    row.notBuilt === true ? `${row.summary} (not built yet)` : row.summary,
  ]);
  return table(["option", "default", "meaning"], rows);
}

/** The fields of a chain configuration. */
export function configTable(): string {
  const rows = chainConfigRows().map(({ name, form, fallback, meaning, inEffect }) => [
    code(name),
    form,
    fallback ?? "required",
    inEffect ? meaning : `${meaning} (no effect yet)`,
  ]);
  return table(["field", "form", "default", "meaning"], rows);
}

/** Every metric that a node exports. */
export async function metricsTable(): Promise<string> {
  const { registry } = createNodeMetrics();
  const declared = await registry.getMetricsAsJSON();
  const rows = declared.map(({ name, type, help }) => {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
    return [code(name), String(type), labelNames.map(code).join(", "), help];
  });
  return table(["metric", "type", "labels", "meaning"], rows);
}
