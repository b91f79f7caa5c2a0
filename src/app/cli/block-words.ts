import { isJsonObject, type JsonValue } from "#base/codec/index.ts";

/** The name that every method of the specification gives to its block id. */
const BLOCK_ID = "block_id";

/** More digits than any block number has. */
const MAX_DIGITS = 20;

/**
 * Parameters with block ids as the specification has them: where a method takes a block id, `5` is
 * written as `{"block_number": 5}` and `0x5` as `{"block_hash": "0x5"}`. Everything else, and what
 * goes to methods that are not known, stays as it is.
 */
export async function withBlockIds(method: string, params: JsonValue): Promise<JsonValue> {
  if (isJsonObject(params)) {
    const id = params[BLOCK_ID];
    const named = id === undefined ? undefined : blockIdOf(id);
    return named === undefined ? params : { ...params, [BLOCK_ID]: named };
  }
  if (!Array.isArray(params)) return params;
  const values = params as readonly JsonValue[];
  const ids = values.map(blockIdOf);
  // The methods are loaded for calls that have something to replace.
  if (ids.every((id) => id === undefined)) return params;
  const at = await blockIdAt(method);
  return values.map((value, i) => (i === at ? (ids[i] ?? value) : value));
}

/** The block id that a bare number or hash means; `undefined` for everything else. */
function blockIdOf(value: JsonValue): JsonValue | undefined {
  if (typeof value === "bigint" || typeof value === "number") {
    const isNumber = typeof value === "bigint" || Number.isSafeInteger(value);
    return isNumber && value >= 0 ? { block_number: value } : undefined;
  }
  if (typeof value !== "string") return undefined;
  if (/^0x[0-9a-f]+$/i.test(value)) return { block_hash: value };
  const isNumber = /^\d+$/.test(value) && value.length <= MAX_DIGITS;
  return isNumber ? { block_number: BigInt(value) } : undefined;
}

/** Where a method takes its block id; -1 when it takes none or is not known. */
async function blockIdAt(method: string): Promise<number> {
  return ((await parameterNames(method)) ?? []).indexOf(BLOCK_ID);
}

/**
 * Parameters from words: by name where the only one is an object whose members are all parameters of
 * the method, as `{"block_id": "latest"}`; else by position, as `{"block_number": 5}` where the first
 * one is a block id. Of methods that are not known an object has the parameters by name.
 */
export async function paramsOfWords(
  method: string,
  values: readonly JsonValue[],
): Promise<JsonValue> {
  const [only] = values;
  if (values.length !== 1 || only === undefined || !isJsonObject(only)) return values;
  const known = await parameterNames(method);
  const isNamed = known === undefined || Object.keys(only).every((name) => known.includes(name));
  return isNamed ? only : values;
}

/** The parameters of a method of the specification, in order; `undefined` when it is not known. */
async function parameterNames(method: string): Promise<readonly string[] | undefined> {
  const { createMethodTables } = await import("#api/rpc/index.ts");
  const [newest] = createMethodTables();
  const found = newest.methods.get(method.replace(/^(chain|starknet)_/, ""));
  return found?.params.map(({ name }) => name);
}
