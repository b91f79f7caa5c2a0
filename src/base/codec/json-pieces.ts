import { type JsonValue, stringifyJson } from "./json.ts";

/** A piece of text ends behind so many characters, with the value at which it has reached them. */
const PIECE_LENGTH = 65_536;

/** Consecutive elements of a list that are text already, with commas between them; at least one. */
export class JsonElements {
  readonly text: string;

  /** @param text - as `"0x1",2` */
  constructor(text: string) {
    this.text = text;
  }
}

/** Consecutive elements of a list. */
type JsonGroup = readonly JsonSource[] | JsonElements;

/**
 * A list of a JSON document whose elements are made while it is written, some at a time: as values they
 * would not fit into memory.
 */
export class JsonList {
  readonly groups: () => Iterable<JsonGroup>;

  /**
   * @param groups - makes the elements, in groups of consecutive ones; a group without elements adds
   *   nothing
   */
  constructor(groups: () => Iterable<JsonGroup>) {
    this.groups = groups;
  }
}

/** A value that is made when it is written, behind all that stands before it. */
export class JsonLater {
  readonly make: () => JsonSource;

  /** @param make - called once each time that it is written */
  constructor(make: () => JsonSource) {
    this.make = make;
  }
}

/** An object whose members may hold what is made while it is written; `undefined` members are left out. */
export interface JsonSourceObject {
  readonly [key: string]: JsonSource | undefined;
}

/** JSON that is made while it is written. A plain array holds plain values only. */
export type JsonSource = JsonValue | JsonList | JsonLater | JsonSourceObject;

/** JSON that is written piece by piece, because it may be too long for one text. */
export class JsonPieces {
  readonly #source: JsonSource;

  constructor(source: JsonSource) {
    this.#source = source;
  }

  /**
   * The text in pieces of about 64 Ki characters, made as they are taken: throws what making an element
   * throws.
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
  // Members that are there already are written together: that is several times as fast.
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

/** Whether nothing in it is made while it is written, as far as that is seen at once. */
function isPlain(source: JsonSource): source is JsonValue {
  if (isScalar(source) || Array.isArray(source)) return true;
  if (source instanceof JsonList || source instanceof JsonLater) return false;
  return Object.values(source).every((member) => member === undefined || isScalar(member));
}
