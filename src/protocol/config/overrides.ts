import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import type { ConfigOverride } from "./source.ts";
import { type ConfigNode, withValueAt } from "./tree.ts";
import { parseConfigTree } from "./yaml-tree.ts";

/** Fields that cannot be overridden: they name files or are fixed per chain. */
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
 * Splits at commas that precede another assignment and are outside of brackets and quotes, so that values may
 * contain commas: `chain_name=Foo, Bar,block_time=5s` gives two parts.
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
 * Parses repeated `--chain-config-override` options: `field=value`, comma-separated lists of them, dotted
 * paths, YAML values.
 *
 * @throws {ConfigError} with an issue per argument that is not an assignment or names a field that cannot be
 *   overridden
 */
export function parseOverrides(
  list: readonly string[],
  from = "--chain-config-override",
): readonly ConfigOverride[] {
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
    } else overrides.push({ path, text: part.slice(whole.length).trim(), from });
  }
  if (issues.length > 0) throw new ConfigError(`wrong ${from}`, issues);
  return overrides;
}

/**
 * Refuses conflicting overrides: the same field twice, or a field and a mapping that contains it.
 *
 * @throws {ConfigError} with an issue per field that is set twice
 */
export function refuseDuplicates(overrides: readonly ConfigOverride[]): void {
  const issues: ConfigIssue[] = [];
  const exact = new Map<string, string>();
  const inside = new Map<string, string>();
  for (const { path, from } of overrides) {
    const whole = path.join(".");
    const parts = path.map((_, i) => path.slice(0, i + 1).join("."));
    const before = parts.map((part) => exact.get(part)).find((other) => other !== undefined);
    const other = before ?? inside.get(whole);
    if (other !== undefined) {
      const by = other === from ? `by ${from}` : `by ${other} and by ${from}`;
      issues.push({ path: whole, line: 0, message: `is set twice, ${by}` });
    }
    exact.set(whole, from);
    for (const part of parts.slice(0, -1)) inside.set(part, from);
  }
  if (issues.length > 0) throw new ConfigError("overrides contradict each other", issues);
}

/**
 * Applies overrides to a configuration.
 *
 * @throws {ConfigError} when a value is not YAML
 */
export function applyOverrides(tree: ConfigNode, overrides: readonly ConfigOverride[]): ConfigNode {
  const issues: ConfigIssue[] = [];
  let result = tree;
  for (const { path, text, from } of overrides) {
    try {
      result = withValueAt(result, path, parseConfigTree(text, false));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [first] = error.issues;
      const message = `${first?.message ?? error.message} (from ${from})`;
      issues.push({ path: path.join("."), line: 0, message });
    }
  }
  if (issues.length > 0) throw new ConfigError("an override is not valid YAML", issues);
  return result;
}
