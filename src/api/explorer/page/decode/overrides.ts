import { PageError } from "../rpc/page-error.ts";

/** Members of the overrides of `api/simulate`, by the name of their list. */
const MEMBERS = {
  storage: ["contract_address", "key", "value"],
  classes: ["contract_address", "class_hash"],
} as const;

/** One override: felts by member. */
export type Override = Readonly<Record<string, string>>;

/**
 * Reads overrides from the lines of a form: each has the felts of one override, separated by blanks or commas. Empty
 * lines are skipped.
 *
 * @throws {PageError} when a line has other parts
 */
export function overridesOf(text: string, list: keyof typeof MEMBERS): readonly Override[] {
  const members: readonly string[] = MEMBERS[list];
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.map((line) => {
    const felts = line.split(/[\s,]+/);
    const isRight =
      felts.length === members.length && felts.every((felt) => /^0x[0-9a-fA-F]{1,64}$/.test(felt));
    if (!isRight) {
      throw new PageError(
        `“${line.slice(0, 80)}” is no override: expected ${members.length} felts, ${members.join(", ")}.`,
      );
    }
    return Object.fromEntries(members.map((member, i) => [member, felts[i] ?? ""]));
  });
}
