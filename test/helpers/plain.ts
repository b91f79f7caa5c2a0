import { FeltBlock } from "#kernels/vm/index.ts";

/** Members of call records that traces lack. */
const INTERNAL = new Set(["emittedBytes"]);

/** Converts all felts of a value to arrays, so that call records of any form can be compared. */
export function plain(value: unknown): unknown {
  if (value instanceof FeltBlock) return value.toArray();
  if (value instanceof Uint8Array || value instanceof Set) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, plain(each)]));
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).filter(([name]) => !INTERNAL.has(name));
  return Object.fromEntries(members.map(([name, each]) => [name, plain(each)]));
}
