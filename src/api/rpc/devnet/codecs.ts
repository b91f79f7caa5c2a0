import {
  array,
  bigInteger,
  convert,
  type Decoder,
  felt,
  integer,
  json,
  literal,
  mismatch,
  union,
} from "#base/codec/index.ts";
import { ADDRESS_BOUND, type Felt } from "#base/primitives/index.ts";
import type { BalanceUnit, ForkTarget } from "./access.ts";

/** Maximum Unix timestamp that developer methods accept: the end of the year 9999. */
export const MAX_TIMESTAMP = 253_402_300_799;

/** Maximum felts in a message's payload; far more than L1 gas could pay for. */
export const MAX_PAYLOAD = 4_000;

const U256_BOUND = 1n << 256n;

/** Decoder of a contract address in parameters of developer methods. */
export const contractAddress: Decoder<Felt> = convert(
  felt,
  "contract address (0x hex below 2^251 - 256)",
  (value) => (value < ADDRESS_BOUND ? value : undefined),
);

/** Lower addresses are reserved for contracts of the protocol, such as block hashes and aliases. */
const FIRST_WRITABLE_ADDRESS = 0x10n;

/**
 * Decoder of the address of a contract whose state a developer method may set without a
 * transaction.
 */
export const writableAddress: Decoder<Felt> = convert(
  contractAddress,
  "contract address (0x hex from 0x10 to 2^251 - 257)",
  (address) => (address >= FIRST_WRITABLE_ADDRESS ? address : undefined),
);

/** Decoder of the unit of an amount: WEI or FRI. */
export const balanceUnit: Decoder<BalanceUnit> = literal("FRI", "WEI");

/** Decoder of a time in Unix seconds. */
export const timestamp: Decoder<number> = integer(0, MAX_TIMESTAMP);

/** Maximum price: fees are products of gas and prices, and have 128 bits on the wire. */
const MAX_GAS_PRICE = (1n << 64n) - 1n;

/** Decoder of a price per unit of gas, at least 1. */
export const gasPrice: Decoder<bigint> = bigInteger(1n, MAX_GAS_PRICE);

/** Decoder of the payload of a message: felts. */
export const payload: Decoder<readonly Felt[]> = convert(
  array(felt),
  `array of at most ${MAX_PAYLOAD} felts`,
  (felts) => (felts.length <= MAX_PAYLOAD ? felts : undefined),
);

const AMOUNT = "number from 0 to 2^256 - 1";

/** Digits with at most one point and a short exponent. */
const DECIMAL = /^(\d{1,100})(?:\.(\d{1,100}))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * Decoder of an amount of tokens, sent as a JSON number or its text; a fractional part is
 * truncated, as in starknet-devnet.
 */
export const tokenAmount: Decoder<bigint> = {
  describe: AMOUNT,
  decode(value, path) {
    const scalar = json.decode(value, path);
    const text = typeof scalar === "object" || typeof scalar === "boolean" ? "" : String(scalar);
    const amount = wholePart(text);
    return amount !== undefined && amount < U256_BOUND ? amount : mismatch(path, AMOUNT, value);
  },
};

function wholePart(text: string): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const places = whole.length + Number(exponent);
  const digits = whole + fraction;
  return BigInt(places <= 0 ? 0 : digits.slice(0, places).padEnd(places, "0"));
}

const FORK_TARGET = "block number, 0x block hash, or latest";

/** Decoder of the block that a fork moves to. */
export const forkTarget: Decoder<ForkTarget> = union<ForkTarget>(FORK_TARGET, [
  convert(integer(0, Number.MAX_SAFE_INTEGER), FORK_TARGET, (number) => ({
    kind: "number",
    number,
  })),
  convert(literal("latest"), FORK_TARGET, (kind) => ({ kind })),
  convert(felt, FORK_TARGET, (hash) => ({ kind: "hash", hash })),
]);
