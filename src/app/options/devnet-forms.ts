import { feltFromHex, shortStringFromFelt } from "#base/primitives/index.ts";
import { parseDurationMs } from "#protocol/config/index.ts";

/** When a development chain makes blocks; a number is the seconds from one to the next. */
export type BlockGeneration = "transaction" | "demand" | number;

/** Text for help and errors: the form that {@link readBlockGeneration} expects. */
export const BLOCK_GENERATION_FORM = "transaction, demand or a number of seconds";

/**
 * Parses the value of starknet-devnet's option `--block-generation-on`.
 *
 * @returns `undefined` for another form
 */
export function readBlockGeneration(text: string): BlockGeneration | undefined {
  if (text === "transaction" || text === "demand") return text;
  const seconds = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  return seconds > 0 && parseDurationMs(`${seconds}s`) !== undefined ? seconds : undefined;
}

/**
 * Value of the option for forbidden methods that means those which starknet-devnet forbids by
 * default.
 */
export const DEFAULT_METHODS = "default";

const METHOD_NAME = /^[a-z]+[._][A-Za-z]+$/;

/** Parses a list of methods, or {@link DEFAULT_METHODS}. */
export function readMethods(text: string): readonly string[] | typeof DEFAULT_METHODS | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 1 && names[0] === DEFAULT_METHODS) return DEFAULT_METHODS;
  return names.length > 0 && names.every((name) => METHOD_NAME.test(name)) ? names : undefined;
}

/** Characters of a valid chain id. */
const CHAIN_ID_CHARACTERS = /^[\w.-]+$/;

/** Chain ids that starknet-devnet has aliases for, in any case. */
const NETWORKS: Readonly<Record<string, string>> = { MAINNET: "SN_MAIN", TESTNET: "SN_SEPOLIA" };

/**
 * Parses a chain id: a text, an alias of a network, or a number as returned by `starknet_chainId`.
 */
export function readChainId(text: string): string | undefined {
  if (!/^0x[0-9a-f]+$/i.test(text)) return NETWORKS[text.toUpperCase()] ?? text;
  const number = feltFromHex(text);
  if (number === undefined) return undefined;
  const named = shortStringFromFelt(number);
  return CHAIN_ID_CHARACTERS.test(named) ? named : undefined;
}

/**
 * File names, without their ending, of system classes that users can replace, by contract:
 * starknet-devnet's, and a plain one.
 */
export const SYSTEM_CLASS_STEMS = {
  strk: ["erc20_strk", "strk"],
  eth: ["erc20_eth", "eth"],
  udc: ["udc_2", "udc"],
  legacyUdc: ["UDC_OZ_0.5.0", "legacy_udc"],
} as const;

/**
 * File name endings of classes: from scarb, this program, starknet-devnet, and the Cairo 0
 * compiler.
 */
export const CLASS_ENDINGS = [".contract_class.json", ".sierra.json", ".sierra", ".json"] as const;

/** Possible names of system class files, for help and errors. */
export const SYSTEM_CLASS_FILES: string = `${Object.values(SYSTEM_CLASS_STEMS)
  .map((stems) => stems.join(" or "))
  .join(", ")}, each with one of ${CLASS_ENDINGS.join(", ")}`;
