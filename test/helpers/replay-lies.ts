import type { JsonValue } from "#base/codec/index.ts";
import type { Tamper } from "./replay-world.ts";

type Member = string | number;

/** Changes the value at a path in a method's responses; `undefined` removes it. */
export function lie(
  name: string,
  path: readonly Member[],
  change: (value: unknown) => unknown,
  isMeant: (params: JsonValue) => boolean = () => true,
): Tamper {
  return (method, result, params) => {
    if (method !== `starknet_${name}` || !isMeant(params)) return result;
    const copy = JSON.parse(JSON.stringify(result)) as JsonValue;
    changeAt(copy, path, change);
    return copy;
  };
}

function changeAt(
  value: unknown,
  [first, ...rest]: readonly Member[],
  change: (value: unknown) => unknown,
): void {
  const holder = value as Record<Member, unknown>;
  if (first === undefined || holder[first] === undefined) throw new TypeError(`no ${first}`);
  if (rest.length > 0) return changeAt(holder[first], rest, change);
  const changed = change(holder[first]);
  if (changed !== undefined) holder[first] = changed;
  else if (Array.isArray(holder)) holder.splice(Number(first), 1);
  else delete holder[first];
}

/** Returns a felt to put in place of another one in a response. */
export const other = (): string => "0xbad";
/** Returns `undefined`, which removes a value from a response. */
export const removed = (): undefined => undefined;
/** Parameters of requests. */
interface RequestParams {
  readonly block_id?: { readonly block_number?: number };
  readonly contracts_storage_keys?: readonly unknown[];
}

/** Number of the requested block. */
export function numberIn(params: JsonValue): number | undefined {
  return (params as RequestParams).block_id?.block_number;
}

/** Whether proofs of contracts are requested. */
export function isOfContracts(params: JsonValue): boolean {
  return ((params as RequestParams).contracts_storage_keys ?? []).length > 0;
}
