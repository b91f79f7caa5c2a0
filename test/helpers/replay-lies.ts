import type { JsonValue } from "#base/codec/index.ts";
import type { Tamper } from "./replay-world.ts";

type Member = string | number;

/** The answers of a method with what stands at a path changed; `undefined` takes it away. */
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

/** In place of a felt. */
export const other = (): string => "0xbad";
/** In place of what goes. */
export const gone = (): undefined => undefined;
/** What questions have in them. */
interface Asked {
  readonly block_id?: { readonly block_number?: number };
  readonly contracts_storage_keys?: readonly unknown[];
}

/** Number of the block that is asked for. */
export function numberIn(params: JsonValue): number | undefined {
  return (params as Asked).block_id?.block_number;
}

/** Whether proofs of contracts are asked for. */
export function isOfContracts(params: JsonValue): boolean {
  return ((params as Asked).contracts_storage_keys ?? []).length > 0;
}
