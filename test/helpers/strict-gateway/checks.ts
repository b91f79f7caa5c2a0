/**
 * Thrown for a foreign value with a wrong format. The product shares no code with these checks, so
 * that both cannot have the same fault.
 */
export class StrictReaderError extends Error {
  readonly path: string;

  constructor(path: string, expected: string) {
    super(`${path}: ${expected}`);
    this.path = path;
  }
}

/**
 * Checks a value that {@link strictJson} parsed.
 *
 * @throws {StrictReaderError} for another format
 */
export type Check = (value: unknown, path: string) => void;

/**
 * Parses JSON with each integer as `bigint` of any size, so that `1.0` is no integer.
 *
 * @throws {SyntaxError} for invalid JSON
 */
export function strictJson(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, context: { readonly source?: string }) =>
    typeof value === "number" && /^-?\d+$/.test(context.source ?? "")
      ? BigInt(context.source ?? "")
      : value) as (key: string, value: unknown) => unknown);
}

function refuse(path: string, expected: string): never {
  throw new StrictReaderError(path, expected);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Strict check that accepts any value. */
export const any: Check = () => {};

/** Strict check of text. */
export const text: Check = (value, path) => {
  if (typeof value !== "string") refuse(path, "text");
};

/** Strict check that accepts `true` or `false`. */
export const bool: Check = (value, path) => {
  if (typeof value !== "boolean") refuse(path, "boolean");
};

/** Creates the strict check of an integer literal from `min` to `max`. */
export function integer(min: bigint, max: bigint): Check {
  return (value, path) => {
    if (typeof value !== "bigint" || value < min || value > max) {
      refuse(path, `integer from ${min} to ${max}`);
    }
  };
}

/** Creates the strict check of exactly one of the words. */
export function word(...words: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== "string" || !words.includes(value)) refuse(path, words.join(" or "));
  };
}

/**
 * Creates the strict check of `0x` hex of at most this many bytes: the number of digits is limited,
 * and the value is below `bound`.
 */
export function hex(bytes: number, bound: bigint = 1n << BigInt(bytes * 8)): Check {
  const form = new RegExp(`^0x[0-9a-fA-F]{1,${bytes * 2}}$`);
  return (value, path) => {
    if (typeof value !== "string" || !form.test(value) || BigInt(value) >= bound) {
      refuse(path, `0x hex of at most ${bytes} bytes, below 0x${bound.toString(16)}`);
    }
  };
}

/** Creates the strict check of a list. */
export function list(element: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, "list");
    for (const [i, each] of value.entries()) element(each, `${path}[${i}]`);
  };
}

/** Creates the strict check of a list of exactly these elements. */
export function tuple(...elements: readonly Check[]): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length !== elements.length) {
      return refuse(path, `list of ${elements.length}`);
    }
    for (const [i, check] of elements.entries()) check(value[i], `${path}[${i}]`);
  };
}

/** Creates the strict check of an object used as a map. */
export function map(key: Check, member: Check): Check {
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, "object");
    for (const [name, each] of Object.entries(value)) {
      key(name, `${path}.${name} (key)`);
      member(each, `${path}.${name}`);
    }
  };
}

/** Creates the strict check of `null`, or a value. */
export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

/** A member that may be missing, but not `null`. */
export interface Missable {
  readonly missable: Check;
}

/** Creates a {@link Missable}. */
export function missable(check: Check): Missable {
  return { missable: check };
}

/** A member that may be missing or `null`. */
export function optional(check: Check): Missable {
  return missable(nullable(check));
}

/** Members of an object by name. */
export type Struct = Readonly<Record<string, Check | Missable>>;

/** Creates the strict check of an object with these members; others are ignored. */
export function open(members: Struct): Check {
  return (value, path) => checkMembers(members, value, path);
}

/** Creates the strict check of an object with these members and no other. */
export function closed(members: Struct): Check {
  return (value, path) => {
    checkMembers(members, value, path);
    for (const name of Object.keys(value as object)) {
      if (!Object.hasOwn(members, name)) refuse(`${path}.${name}`, "unknown member");
    }
  };
}

function checkMembers(members: Struct, value: unknown, path: string): void {
  if (!isRecord(value)) return refuse(path, "object");
  for (const [name, member] of Object.entries(members)) {
    const isPresent = Object.hasOwn(value, name);
    if (typeof member === "function") {
      if (!isPresent) refuse(`${path}.${name}`, "missing member");
      member(value[name], `${path}.${name}`);
    } else if (isPresent) member.missable(value[name], `${path}.${name}`);
  }
}

/** Name of a member that has one of two names, and not both. */
export function oneOf(first: string, second: string, value: unknown, path: string): string {
  const names = [first, second].filter((name) => isRecord(value) && Object.hasOwn(value, name));
  return names.length === 1 ? (names[0] ?? first) : refuse(path, `one of ${first} and ${second}`);
}
