import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import { readInteger } from "./read-option.ts";

/** Block that a fork continues. */
export type ForkBlock =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "hash"; readonly hash: Felt };

/** Header of each request to the origin of a fork. */
export interface ForkHeader {
  readonly name: string;
  /** May be a secret. */
  readonly value: string;
}

/** Text for help and errors: the form that {@link readForkBlock} expects. */
export const FORK_BLOCK_FORM = "block number, 0x… block hash, or latest";

const readNumber = readInteger(0, Number.MAX_SAFE_INTEGER);

/** Parses a block number, hash, or `latest`, which is `null`. */
export function readForkBlock(text: string): ForkBlock | null | undefined {
  if (text.toLowerCase() === "latest") return null;
  const number = readNumber(text);
  if (number !== undefined) return { kind: "number", number };
  const hash = readHash(text);
  return hash === undefined ? undefined : { kind: "hash", hash };
}

/** Parses a block or transaction hash with `0x`. */
export function readHash(text: string): Felt | undefined {
  return /^0x[0-9a-f]{1,64}$/i.test(text) ? feltFromHex(text) : undefined;
}

/** Token of a header name. Source: RFC 9110, 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible characters, spaces and tabs. Source: RFC 9110, 5.5, without bytes above ASCII. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** Parses `NAME=VALUE` headers; one text may hold several, one a line. */
export function readHeaders(texts: readonly string[]): readonly ForkHeader[] | undefined {
  const headers: ForkHeader[] = [];
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const at = line.indexOf("=");
    const [name, value] = [line.slice(0, Math.max(at, 0)), line.slice(at + 1).trim()];
    if (!NAME.test(name) || !VALUE.test(value)) return undefined;
    headers.push({ name, value });
  }
  return headers;
}
