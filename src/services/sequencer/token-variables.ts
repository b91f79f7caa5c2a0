import { isJsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { ContractClass } from "#protocol/chain/index.ts";
import type { GenesisClassSource } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import type { ReadGenesisClass } from "./genesis-class.ts";

/** Metadata of the two fee tokens; texts have at most 30 characters. */
const TOKENS = {
  strk: { name: "Starknet Token", symbol: "STRK", decimals: 18n },
  eth: { name: "Ether", symbol: "ETH", decimals: 18n },
} as const;

/**
 * Storage key of the first text chunk of a `ByteArray` variable: the first element of the Hades permutation
 * of the variable's key, the chunk number 0 and `ByteArray`, modulo 2^251 - 256.
 *
 * Source: corelib of Cairo 2, `starknet/storage_access.cairo`; values as in block 0 of starknet-devnet
 * 0.10.1.
 */
const BYTE_ARRAY_CHUNKS = {
  ERC20_name: 0x35b0c37f7f34be47076c6cfbcf811ad0769dbc81f4c509ee9613e0b0c648ca9n,
  ERC20_symbol: 0x1c789464ad40743bc8a10c1b00fb11a9c2a6fb9697600ed12f48df50a9cc740n,
} as const;

const BYTE_ARRAY = "core::byte_array::ByteArray";

/** Variable of the shipped ERC-20 that holds the minter's address. */
const OWN_MINTER = "ERC20_permitted_minter";

/** The same variable in StarkGate's tokens, Cairo 0 and Cairo 1. */
const STARKGATE_MINTER = "permitted_minter";

/**
 * Returns the storage that holds name, symbol and decimals of a fee token, as the token's constructor leaves
 * it. The variables are those of OpenZeppelin's ERC-20. Texts are `ByteArray`s if the ABI gives that type for
 * `name`, else short strings; without an ABI, the code decides.
 */
export function tokenMetadata(
  token: keyof typeof TOKENS,
  { bundled, storesByteArrays }: Pick<ReadGenesisClass, "bundled" | "storesByteArrays">,
): ReadonlyMap<Felt, Felt> {
  const { name, symbol, decimals } = TOKENS[token];
  const type = typeOfName(bundled.contractClass);
  const isByteArray = type === undefined ? storesByteArrays() : type === BYTE_ARRAY;
  const cells = new Map<Felt, Felt>([[storageVariableKey("ERC20_decimals"), decimals]]);
  for (const [variable, text] of [
    ["ERC20_name", name],
    ["ERC20_symbol", symbol],
  ] as const) {
    const value = feltFromShortString(text);
    cells.set(storageVariableKey(variable), isByteArray ? BigInt(text.length) : value);
    if (isByteArray) cells.set(BYTE_ARRAY_CHUNKS[variable], value);
  }
  return cells;
}

/** Returns the storage keys that may hold a token's minter: a class from a file may be StarkGate's. */
export function minterKeys({ kind }: GenesisClassSource): readonly Felt[] {
  const names = kind === "builtin" ? [OWN_MINTER] : [OWN_MINTER, STARKGATE_MINTER];
  return names.map((name) => storageVariableKey(name));
}

/** Returns the type of `name`'s result by the ABI; `undefined` if the ABI does not give it. */
function typeOfName(contractClass: ContractClass): JsonValue | undefined {
  if (contractClass.kind !== "sierra") return undefined;
  const items = abiItems(contractClass.abi);
  const functions = [...items, ...items.flatMap((item) => listOf(item, "items"))];
  const name = functions.find(
    (item) => isJsonObject(item) && item["type"] === "function" && item["name"] === "name",
  );
  const [output] = name === undefined ? [] : listOf(name, "outputs");
  return isJsonObject(output) ? output["type"] : undefined;
}

/** @returns an empty list for a text that is not a JSON list: the class hash allows any text */
function abiItems(abi: string): readonly JsonValue[] {
  try {
    const value = parseJson(abi);
    return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  } catch (error) {
    if (error instanceof DecodeError) return [];
    throw error;
  }
}

function listOf(item: JsonValue, member: string): readonly JsonValue[] {
  const list = isJsonObject(item) ? item[member] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}
