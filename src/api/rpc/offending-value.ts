import { isJsonObject, kindOf } from "#base/codec/index.ts";

/** Maximum characters shown of a text or a number. */
const SHOWN_LENGTH = 66;
/** Maximum members of an object that are named. */
const SHOWN_MEMBERS = 4;

/** Shortens a text to readable length; {@link SHOWN_LENGTH} leaves felts whole. */
export function shorten(text: string, length: number = SHOWN_LENGTH): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length)}… (${text.length} characters)`;
}

/**
 * Describes a value so that its sender recognizes it: its kind, and as much of it as fits in a line. For
 * responses to that sender only, never for logs.
 */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `text ${shorten(JSON.stringify(value.slice(0, SHOWN_LENGTH + 1)))}`;
    case "number":
    case "bigint":
      return `number ${shorten(String(value))}`;
    case "boolean":
      return String(value);
    default:
      break;
  }
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (!isJsonObject(value)) return kindOf(value);
  const names: string[] = [];
  for (const name in value) {
    if (names.length === SHOWN_MEMBERS) {
      names.push("…");
      break;
    }
    names.push(shorten(name, 32));
  }
  return names.length === 0 ? "empty object" : `object with ${names.join(", ")}`;
}

const SEGMENT = /([^.[\]]+)|\[(\d+)\]/g;

/**
 * Returns the value at a path in the notation of codecs: `calldata[3]`, `bounds.l1_gas`.
 *
 * @returns `undefined` if the path does not exist
 */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const [, name, index] of path.matchAll(SEGMENT)) {
    if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined;
    else if (name !== undefined && isJsonObject(value) && Object.hasOwn(value, name)) {
      value = value[name];
    } else return undefined;
  }
  return value;
}
