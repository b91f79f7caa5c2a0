import { type JsonValue, stringifyJson } from "./json.ts";

/** Minimum length of a piece of text in characters; a piece ends after the value that reaches it. */
const PIECE_LENGTH = 65_536;

/** Consecutive elements of a list, already encoded as comma-separated text; at least one element. */
export class JsonElements {
  readonly text: string;

  /** @param text - for example `"0x1",2` */
  constructor(text: string) {
    this.text = text;
  }
}

type JsonGroup = readonly JsonSource[] | JsonElements;

/**
 * List of a JSON document whose elements are generated during writing, because all of them together would
 * not fit in memory.
 */
export class JsonList {
  readonly groups: () => Iterable<JsonGroup>;

  /** @param groups - generates the elements, in groups of consecutive ones; an empty group adds nothing */
  constructor(groups: () => Iterable<JsonGroup>) {
    this.groups = groups;
  }
}

/** Value that is computed when the writer reaches it. */
export class JsonLater {
  readonly make: () => JsonSource;

  /** @param make - called once per write */
  constructor(make: () => JsonSource) {
    this.make = make;
  }
}

/** Object whose members may be generated during writing; `undefined` members are omitted. */
export interface JsonSourceObject {
  readonly [key: string]: JsonSource | undefined;
}

/** JSON that is generated during writing. A plain array holds plain values only. */
export type JsonSource = JsonValue | JsonList | JsonLater | JsonSourceObject;

/** JSON that is written in pieces because it may be too long for one string. */
export class JsonPieces {
  readonly #source: JsonSource;

  constructor(source: JsonSource) {
    this.#source = source;
  }

  /**
   * Yields the text in pieces of about 64 Ki characters, generated on demand.
   *
   * Errors of the generating functions propagate.
   */
  *pieces(): Generator<string> {
    const text: Text = { parts: [], length: 0 };
    for (const part of partsOf(this.#source)) {
      text.parts.push(part);
      text.length += part.length;
      if (text.length >= PIECE_LENGTH) yield take(text);
    }
    if (text.length > 0) yield take(text);
  }
}

interface Text {
  parts: string[];
  length: number;
}

function take(text: Text): string {
  const { parts } = text;
  text.parts = [];
  text.length = 0;
  return parts.join("");
}

function* partsOf(source: JsonSource): Generator<string> {
  if (source instanceof JsonList) yield* listParts(source);
  else if (source instanceof JsonLater) yield* partsOf(source.make());
  else if (isPlain(source)) yield stringifyJson(source);
  else yield* objectParts(source);
}

function* listParts({ groups }: JsonList): Generator<string> {
  let separator = "[";
  for (const group of groups()) {
    if (group instanceof JsonElements) {
      yield separator + group.text;
      separator = ",";
      continue;
    }
    if (group.length === 0) continue;
    if (group.every(isScalar)) {
      yield separator + stringifyJson(group).slice(1, -1);
      separator = ",";
      continue;
    }
    for (const element of group) {
      yield separator;
      yield* partsOf(element);
      separator = ",";
    }
  }
  yield separator === "[" ? "[]" : "]";
}

function* objectParts(object: JsonSourceObject): Generator<string> {
  let separator = "{";
  // Plain members are encoded together, which is several times as fast.
  let plain: Record<string, JsonValue> | undefined;
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (isPlain(value)) {
      (plain ??= Object.create(null) as Record<string, JsonValue>)[name] = value;
      continue;
    }
    if (plain !== undefined) {
      yield separator + stringifyJson(plain).slice(1, -1);
      separator = ",";
      plain = undefined;
    }
    yield `${separator}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    separator = ",";
  }
  if (plain !== undefined) yield separator + stringifyJson(plain).slice(1);
  else yield separator === "{" ? "{}" : "}";
}

function isScalar(source: JsonSource): source is Exclude<JsonValue, object> | null {
  return typeof source !== "object" || source === null;
}

/**
 * Whether a value can be encoded directly. Checks one level only: objects nested deeper count as not plain.
 */
function isPlain(source: JsonSource): source is JsonValue {
  if (isScalar(source) || Array.isArray(source)) return true;
  if (source instanceof JsonList || source instanceof JsonLater) return false;
  return Object.values(source).every((member) => member === undefined || isScalar(member));
}
