import { isJsonObject } from "#base/codec/index.ts";

/**
 * Merges `change` into `target`, objects member by member; `null` removes a member, and lists are replaced as
 * a whole.
 */
export function overlay(target: unknown, change: unknown): unknown {
  if (!isJsonObject(target) || !isJsonObject(change)) return change;
  const result: Record<string, unknown> = { ...target };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = overlay(result[name], value);
  }
  return result;
}

/** Returns the smallest change for which `overlay(from, change)` equals `to`; `{}` when they are equal. */
export function difference(from: unknown, to: unknown): unknown {
  if (!isJsonObject(from) || !isJsonObject(to)) return to;
  const change: Record<string, unknown> = {};
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) change[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const old = from[name];
    if (!Object.hasOwn(from, name)) change[name] = value;
    else if (!Bun.deepEquals(old, value)) change[name] = difference(old, value);
  }
  return change;
}
