import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import type { GatewayErrorName } from "../errors.ts";
import { GatewayFault, malformed } from "./fault.ts";

/** Maximum length of the query string that is parsed; real ones have less than a tenth of it. */
const MAX_QUERY_LENGTH = 2_048;

/** Maximum length of a value quoted in an error message; longer ones are truncated. */
const SHOWN_LENGTH = 80;

/** Number of decimal digits of the field prime. */
const MAX_DECIMALS = 76;

const MAX_U64 = (1n << 64n) - 1n;

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Query parameters of a request. Unknown names are ignored: clients send parameters of newer gateways. A
 * repeated parameter is rejected.
 */
export class Query {
  readonly #values: ReadonlyMap<string, string>;

  private constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /**
   * Parses the query string of a URL.
   *
   * @param url - a path with or without a query, or an absolute URL
   * @throws {GatewayFault} MALFORMED_REQUEST for a query that is too long or repeats a parameter
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

  /** Returns the raw text of a parameter. */
  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Parses `true` or `false`; an absent parameter is `false`. */
  flag(name: string): boolean {
    const text = this.#values.get(name);
    if (text === undefined || text === "false") return false;
    return (
      text === "true" || malformed(`Field ${name} must be true or false; got: ${shown(text)}.`)
    );
  }

  /** Parses an unsigned integer of up to 64 bits. */
  number(name: string): bigint | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && value <= MAX_U64) return value;
    return malformed(`Field ${name} must be a non-negative integer; got: ${shown(text)}.`);
  }

  /**
   * Parses a felt in `0x` hex or in decimal. Clients of the public networks' gateway write storage keys in
   * decimal.
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
   * Parses a felt in `0x` hex.
   *
   * @param outOfRange - error to report for a value of `bound` or more
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

/** Truncates long client text before it is quoted in a response. */
export function shown(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
