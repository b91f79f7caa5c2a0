import { isJsonObject, memberPath, mismatch } from "#base/codec/index.ts";
import { gas } from "./shapes.ts";

/** Named values: plain integers or linear forms `{other name: multiplier}` over the same names. */
export type LinearForms = ReadonlyMap<string, unknown>;

/**
 * Evaluates a linear form; definitions may come in any order.
 *
 * @param form - an integer or `{name: multiplier}`
 * @param path - path of `form`, for messages
 * @param open - names being evaluated, to find cycles; callers omit it
 * @throws {DecodeError} when a name is unknown, a value or multiplier is not an integer in [0, 2^64), or names
 *   form a cycle
 */
export function evaluateForm(
  forms: LinearForms,
  form: unknown,
  path: string,
  open: readonly string[] = [],
): bigint {
  if (!isJsonObject(form)) return gas.decode(form, path);
  let total = 0n;
  for (const [name, multiplier] of Object.entries(form)) {
    const at = memberPath(path, name);
    if (open.includes(name)) mismatch(at, `no cycle (${[...open, name].join(" -> ")})`, form);
    if (!forms.has(name)) mismatch(at, "the name of another gas constant", form);
    const value = evaluateForm(forms, forms.get(name), at, [...open, name]);
    total += gas.decode(multiplier, at) * value;
  }
  return total;
}
