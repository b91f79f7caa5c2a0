import type { ConfigIssue } from "#base/errors/index.ts";
import { readSecretFile } from "#io/folders/index.ts";
import { type Variable, type VariableName, VARIABLES } from "./variables.ts";

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Text that was set for a variable of the bootstrap, and where it was set. */
export interface VariableText {
  /** Name under which it was set: the variable, an alias, or the `_FILE` variant. */
  readonly from: string;
  readonly text: string;
}

/**
 * Returns the environment's text for each variable; an empty value counts as unset.
 *
 * @param issues - receives the issues found: two names with different values, unreadable files
 */
export function variableTexts(
  environment: Environment,
  issues: ConfigIssue[],
): ReadonlyMap<VariableName, VariableText> {
  const texts = new Map<VariableName, VariableText>();
  for (const [name, variable] of Object.entries(VARIABLES) as [VariableName, Variable][]) {
    const given = [name, ...variable.aliases].flatMap((alias) =>
      textsOf(environment, alias, variable, issues),
    );
    const [first, ...others] = given;
    if (first === undefined) continue;
    const other = others.find(({ text }) => text !== first.text);
    if (other !== undefined) {
      const message = `differs from ${other.from}, and both are the ${variable.meaning}: give one of them`;
      issues.push({ path: first.from, line: 0, message });
    }
    texts.set(name, first);
  }
  return texts;
}

function textsOf(
  environment: Environment,
  name: string,
  { isSecret, meaning }: Variable,
  issues: ConfigIssue[],
): readonly VariableText[] {
  const texts: VariableText[] = [];
  const text = environment[name] ?? "";
  if (text !== "") texts.push({ from: name, text });
  const file = isSecret ? (environment[`${name}_FILE`] ?? "") : "";
  if (file !== "") {
    const from = `${name}_FILE`;
    const read = readSecretFile(file);
    if (read.kind === "read") texts.push({ from, text: read.text });
    else {
      // Do not show the path: it may be the secret itself, set in the wrong place.
      const message = `${read.reason}; expected the path of a file with the ${meaning}`;
      issues.push({ path: from, line: 0, message });
      // It was set, so its absence must not become a second issue.
      texts.push({ from, text: "" });
    }
  }
  return texts;
}
