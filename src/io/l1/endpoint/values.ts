import { nonsense } from "./fault.ts";

/** Unvalidated members of a JSON object in an L1 endpoint's response. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Checks that a value is an object.
 *
 * @param what - name of the value in the fault, for example `number of a block`
 */
export function members(value: unknown, what: string): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw nonsense(`${what} is not an object`);
}

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;
const DATA = /^0x[0-9a-f]*$/i;

/**
 * Parses a number of up to 256 bits in Ethereum's JSON-RPC form.
 *
 * @throws {EndpointFault} naming `what` for any other value
 */
export function quantity(value: unknown, what: string): bigint {
  if (typeof value === "string" && QUANTITY.test(value)) return BigInt(value);
  throw nonsense(`${what} is not a quantity`);
}

/** Parses a quantity that fits a `number` exactly. */
export function count(value: unknown, what: string): number {
  const number = quantity(value, what);
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw nonsense(`${what} is out of range`);
  return Number(number);
}

/** Parses a 32-byte value. */
export function hash(value: unknown, what: string): bigint {
  if (typeof value === "string" && HASH.test(value)) return BigInt(value);
  throw nonsense(`${what} does not have 32 bytes`);
}

/** Checks that a value is hex data of whole bytes. */
export function data(value: unknown, what: string): `0x${string}` {
  if (typeof value === "string" && value.length % 2 === 0 && DATA.test(value)) {
    return value as `0x${string}`;
  }
  throw nonsense(`${what} is not hex data`);
}

/** Checks that a value is an array. */
export function list(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw nonsense(`${what} is not a list`);
}
