/**
 * Says where a foreign value has not the form that a reader wants; nothing of the product reads it, so
 * that product and reader cannot err together.
 */
export class StrictReaderError extends Error {
  readonly path: string;

  constructor(path: string, expected: string) {
    super(`${path}: ${expected}`);
    this.path = path;
  }
}

/**
 * Looks at a value that {@link strictJson} parsed.
 *
 * @throws {StrictReaderError} when it has another form
 */
export type Check = (value: unknown, path: string) => void;

/**
 * JSON with each integer as `bigint`, whatever its size, so that `1.0` is none.
 *
 * @throws {SyntaxError} when it is no JSON
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

/** Anything. */
export const any: Check = () => {};

/** Text. */
export const text: Check = (value, path) => {
  if (typeof value !== "string") refuse(path, "text");
};

/** `true` or `false`. */
export const bool: Check = (value, path) => {
  if (typeof value !== "boolean") refuse(path, "boolean");
};

/** An integer from `min` to `max`, written as one. */
export function integer(min: bigint, max: bigint): Check {
  return (value, path) => {
    if (typeof value !== "bigint" || value < min || value > max) {
      refuse(path, `integer from ${min} to ${max}`);
    }
  };
}

/** Exactly one of the words. */
export function word(...words: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== "string" || !words.includes(value)) refuse(path, words.join(" or "));
  };
}

/** `0x` hex of so many bytes at most: no more digits than these have, and a value below `bound`. */
export function hex(bytes: number, bound: bigint = 1n << BigInt(bytes * 8)): Check {
  const form = new RegExp(`^0x[0-9a-fA-F]{1,${bytes * 2}}$`);
  return (value, path) => {
    if (typeof value !== "string" || !form.test(value) || BigInt(value) >= bound) {
      refuse(path, `0x hex of at most ${bytes} bytes, below 0x${bound.toString(16)}`);
    }
  };
}

/** A list. */
export function list(element: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, "list");
    for (const [i, each] of value.entries()) element(each, `${path}[${i}]`);
  };
}

/** A list of exactly these. */
export function tuple(...elements: readonly Check[]): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length !== elements.length) {
      return refuse(path, `list of ${elements.length}`);
    }
    for (const [i, check] of elements.entries()) check(value[i], `${path}[${i}]`);
  };
}

/** An object used as a map. */
export function map(key: Check, member: Check): Check {
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, "object");
    for (const [name, each] of Object.entries(value)) {
      key(name, `${path}.${name} (key)`);
      member(each, `${path}.${name}`);
    }
  };
}

/** `null`, or a value. */
export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

/** A member that may be missing; not `null` for that. */
export interface Missable {
  readonly missable: Check;
}

/** {@link Missable}. */
export function missable(check: Check): Missable {
  return { missable: check };
}

/** A member that may be missing or `null`. */
export function optional(check: Check): Missable {
  return missable(nullable(check));
}

/** Members of an object by name. */
export type Struct = Readonly<Record<string, Check | Missable>>;

/** An object with these members; others are not looked at. */
export function open(members: Struct): Check {
  return (value, path) => checkMembers(members, value, path);
}

/** An object with these members and no other. */
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
    const isThere = Object.hasOwn(value, name);
    if (typeof member === "function") {
      if (!isThere) refuse(`${path}.${name}`, "missing member");
      member(value[name], `${path}.${name}`);
    } else if (isThere) member.missable(value[name], `${path}.${name}`);
  }
}

/** An object that stands under one of two names, and not under both. */
export function oneOf(first: string, second: string, value: unknown, path: string): string {
  const names = [first, second].filter((name) => isRecord(value) && Object.hasOwn(value, name));
  return names.length === 1 ? (names[0] ?? first) : refuse(path, `one of ${first} and ${second}`);
}
