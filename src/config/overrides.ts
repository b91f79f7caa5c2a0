import { ConfigError, type ConfigIssue } from "#errors/index.ts";
import { type ConfigNode, parseConfigTree, withValueAt } from "./tree.ts";

/** One `field=value` of `--chain-config-override`. */
export interface ConfigOverride {
  /** Names from the outside in: `["bouncer_config", "block_max_capacity", "gas"]`. */
  readonly path: readonly string[];
  /** The value as YAML text. */
  readonly text: string;
}

/** Fields that an override cannot reach: they name files or are decided once per chain. */
const NOT_OVERRIDABLE: ReadonlySet<string> = new Set([
  "config_version",
  "versioned_constants",
  "versioned_constants_path",
  "l1_messages_finality_blocks",
]);

const ASSIGNMENT = /^\s*([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)\s*=/;
const OPENING = "[{";
const CLOSING = "]}";

/**
 * Splits at commas that another assignment follows and that stand outside of brackets and quotes,
 * so that values may contain commas: `chain_name=Foo, Bar,block_time=5s` is two.
 */
function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (quote !== "") {
      if (unit === "\\" && quote === '"') i++;
      else if (unit === quote) quote = "";
    } else if ((unit === '"' || unit === "'") && /[=[{,:\s]/.test(text.charAt(i - 1))) {
      // A quote inside a word is an apostrophe, not the start of quoted text.
      quote = unit;
    } else if (OPENING.includes(unit)) depth++;
    else if (CLOSING.includes(unit)) depth--;
    else if (unit === "," && depth <= 0 && ASSIGNMENT.test(text.slice(i + 1))) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/**
 * Reads the values of repeated `--chain-config-override` options: `field=value`, comma lists of
 * them, dotted paths, YAML values.
 *
 * @throws {ConfigError} with an issue per argument that is not an assignment or names a field that
 *   cannot be overridden
 */
export function parseOverrides(list: readonly string[]): readonly ConfigOverride[] {
  const issues: ConfigIssue[] = [];
  const overrides: ConfigOverride[] = [];
  for (const part of list.flatMap(splitList)) {
    const match = ASSIGNMENT.exec(part);
    const [whole = "", name = ""] = match ?? [];
    const path = name.split(".");
    if (match === null) {
      issues.push({ path: part.trim(), line: 0, message: "expected field=value" });
    } else if (NOT_OVERRIDABLE.has(path[0] ?? "")) {
      issues.push({ path: name, line: 0, message: "cannot be overridden; set it in the file" });
    } else overrides.push({ path, text: part.slice(whole.length).trim() });
  }
  if (issues.length > 0) throw new ConfigError("wrong --chain-config-override", issues);
  return overrides;
}

/**
 * Lays overrides over a configuration, in their order.
 *
 * @throws {ConfigError} when a value is not YAML
 */
export function applyOverrides(tree: ConfigNode, overrides: readonly ConfigOverride[]): ConfigNode {
  const issues: ConfigIssue[] = [];
  let result = tree;
  for (const { path, text } of overrides) {
    try {
      result = withValueAt(result, path, parseConfigTree(text, false));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [first] = error.issues;
      issues.push({ path: path.join("."), line: 0, message: first?.message ?? error.message });
    }
  }
  if (issues.length > 0) throw new ConfigError("wrong --chain-config-override", issues);
  return result;
}
