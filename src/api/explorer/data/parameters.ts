import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import { badParameter } from "./fault.ts";

/** Maximum length of a query string that is parsed; real ones have a tenth of it. */
const MAX_QUERY_LENGTH = 2_048;

/** Maximum length of a value quoted in an error message; longer ones are truncated. */
const SHOWN_LENGTH = 80;

/** Most items of one page. */
export const MAX_LIMIT = 100;

const DEFAULT_LIMIT = 50;

/** Query parameters of a request. Every method throws {@link ExplorerFault} with status 400. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  /**
   * Parses the query string of a URL: parameters must be among `allowed`, each once.
   *
   * @param url - a path with or without a query, or an absolute URL
   */
  constructor(url: string, allowed: readonly string[]) {
    const mark = url.indexOf("?");
    const query = mark === -1 ? "" : url.slice(mark + 1);
    if (query.length > MAX_QUERY_LENGTH) {
      badParameter(`query: expected at most ${MAX_QUERY_LENGTH} characters`);
    }
    const values = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(query)) {
      if (!allowed.includes(name)) {
        const known = allowed.length === 0 ? "none" : allowed.join(", ");
        badParameter(`${shown(name)}: unknown parameter; expected: ${known}`);
      }
      if (values.has(name)) badParameter(`${name}: expected once`);
      values.set(name, value);
    }
    this.#values = values;
  }

  /** Whether a parameter is present. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns an address or hash. */
  felt(name: string): Felt {
    const text = this.#values.get(name) ?? badParameter(`${name}: required`);
    const expected = "0x and at most 64 hexadecimal digits, below the field's prime";
    return feltFromHex(text) ?? badParameter(`${name}: expected ${expected}; got ${shown(text)}`);
  }

  /** Returns the maximum number of items. */
  limit(): number {
    return this.count("limit", 1, DEFAULT_LIMIT);
  }

  /**
   * Returns a number of items, at most {@link MAX_LIMIT}.
   *
   * @param least - smallest number that is accepted
   * @param normal - the number if the parameter is absent
   */
  count(name: string, least: number, normal: number): number {
    const text = this.#values.get(name);
    if (text === undefined) return normal;
    const count = /^\d{1,4}$/.test(text) ? Number(text) : -1;
    if (count >= least && count <= MAX_LIMIT) return count;
    const expected = `an integer from ${least} to ${MAX_LIMIT}`;
    return badParameter(`${name}: expected ${expected}; got ${shown(text)}`);
  }

  /**
   * Returns the place after which a page starts.
   *
   * @param length - count of numbers in the places of the list
   * @returns `null` for the first page
   */
  after(length: number): readonly number[] | null {
    const text = this.#values.get("after");
    if (text === undefined) return null;
    const numbers = /^\d{1,15}(-\d{1,15}){0,3}$/.test(text) ? text.split("-").map(Number) : [];
    if (numbers.length === length) return numbers;
    return badParameter(`after: expected "next" of an earlier page; got ${shown(text)}`);
  }
}

/** Formats a place in a list for {@link Parameters.after}. */
export function cursorOf(...numbers: readonly number[]): string {
  return numbers.join("-");
}

function shown(text: string): string {
  const cut = text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
  return JSON.stringify(cut);
}
