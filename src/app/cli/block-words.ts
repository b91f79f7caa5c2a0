import { isJsonObject, type JsonValue } from "#base/codec/index.ts";

/** Parameter name of block ids in all methods of the specification. */
const BLOCK_ID = "block_id";

/** More digits than any block number has. */
const MAX_DIGITS = 20;

/**
 * Converts block ids to the specification's form: where a method takes a block id, `5` becomes
 * `{"block_number": 5}` and `0x5` becomes `{"block_hash": "0x5"}`. Everything else, and parameters of unknown
 * methods, are unchanged.
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
  // Load the methods only when there is something to convert.
  if (ids.every((id) => id === undefined)) return params;
  const at = await blockIdAt(method);
  return values.map((value, i) => (i === at ? (ids[i] ?? value) : value));
}

/** Converts a bare number or hash to a block id; `undefined` for everything else. */
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

/** Returns the position of a method's block id; -1 when it takes none or is unknown. */
async function blockIdAt(method: string): Promise<number> {
  return ((await parameterNames(method)) ?? []).indexOf(BLOCK_ID);
}

/**
 * Builds parameters from words. By name if the only word is an object whose members are all parameters of the
 * method, such as `{"block_id": "latest"}`. Otherwise by position, for example `{"block_number": 5}` where
 * the first parameter is a block id. For unknown methods an object gives the parameters by name.
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

/** Returns the parameter names of a method of the specification, in order; `undefined` when unknown. */
async function parameterNames(method: string): Promise<readonly string[] | undefined> {
  const { createMethodTables } = await import("#api/rpc/index.ts");
  const [newest] = createMethodTables();
  const found = newest.methods.get(method.replace(/^(chain|starknet)_/, ""));
  return found?.params.map(({ name }) => name);
}
