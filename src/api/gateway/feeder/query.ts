import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import type { GatewayErrorName } from "../errors.ts";
import { GatewayFault, malformed } from "./fault.ts";

/** Longest query that is looked into: none that is meant has a tenth of it. */
const MAX_QUERY_LENGTH = 2_048;

/** A number of more digits is told shortened in errors. */
const SHOWN_LENGTH = 80;

/** Digits of the prime. */
const MAX_DECIMALS = 76;

const MAX_U64 = (1n << 64n) - 1n;

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The parameters of a request. Names that a route does not know are passed over: clients send what newer
 * gateways understand. A parameter that is given twice is refused.
 */
export class Query {
  readonly #values: ReadonlyMap<string, string>;

  private constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /**
   * @param url - a path with or without a query, or an absolute URL
   * @throws {GatewayFault} MALFORMED_REQUEST for one that is too long or has a parameter twice
   */
  static of(url: string): Query {
    const mark = url.indexOf("?");
    if (mark === -1) return new Query(NONE);
    const text = url.slice(mark + 1);
    if (text.length > MAX_QUERY_LENGTH) {
      malformed(`The query has more than ${MAX_QUERY_LENGTH} characters.`);
    }
    const values = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(text)) {
      if (values.has(name)) malformed(`Field ${shown(name)} is given more than once.`);
      values.set(name, value);
    }
    return new Query(values);
  }

  /** The text of a parameter as it was sent. */
  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** `true` or `false`; `false` when it is not given. */
  flag(name: string): boolean {
    const text = this.#values.get(name);
    if (text === undefined || text === "false") return false;
    return (
      text === "true" || malformed(`Field ${name} must be true or false; got: ${shown(text)}.`)
    );
  }

  /** A whole number, of up to 64 bits. */
  number(name: string): bigint | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && value <= MAX_U64) return value;
    return malformed(`Field ${name} must be a non-negative integer; got: ${shown(text)}.`);
  }

  /**
   * A felt as `0x` hex or in decimals, which clients of the network's gateway write keys of storage in.
   *
   * @param outOfRange - as for {@link felt}
   */
  decimalOrHex(
    name: string,
    what: string,
    outOfRange: GatewayErrorName,
    bound: bigint,
  ): Felt | undefined {
    const text = this.#values.get(name);
    if (text === undefined || !/^\d+$/.test(text)) return this.felt(name, what, outOfRange, bound);
    const value = text.length <= MAX_DECIMALS ? BigInt(text) : bound;
    if (value < bound) return value;
    throw new GatewayFault(outOfRange, `${what} ${shown(text)} is out of range.`);
  }

  /**
   * A felt as `0x` hex.
   *
   * @param outOfRange - the error of hex text of `bound` or more
   */
  felt(
    name: string,
    what: string,
    outOfRange: GatewayErrorName,
    bound: bigint = FIELD_PRIME,
  ): Felt | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    if (!/^0x[0-9a-fA-F]+$/.test(text)) {
      malformed(
        `${what} should be a hexadecimal string starting with 0x, or 'null'; got: ${shown(text)}.`,
      );
    }
    const value = text.length <= 66 ? BigInt(text) : bound;
    if (value < bound) return value;
    throw new GatewayFault(outOfRange, `${what} ${shown(text)} is out of range.`);
  }
}

/** Whatever was sent stays out of answers where it is long. */
export function shown(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
