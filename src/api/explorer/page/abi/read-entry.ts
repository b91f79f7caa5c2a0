/** Named value of a function, structure, enumeration or event. */
export interface Field {
  /** Empty for results, whose position identifies them. */
  readonly name: string;
  /** Text of the type. */
  readonly type: string;
  /** Kind of an event's member: `key`, `data`, `nested`, `flat`; empty elsewhere. */
  readonly kind: string;
}

/** Ends of the names of parameters that are the length of the Cairo 0 array after them. */
export const LENGTHS = ["_len", "_size"] as const;

/** Object of untrusted JSON. */
export type Entry = Readonly<Record<string, unknown>>;

/** Maximum number of members of one entry, and of characters of a name or type. */
const MAX_FIELDS = 2_000;
/** Maximum characters of a name or of the text of a type. */
export const MAX_NAME = 4_000;

/**
 * Returns the members of a list. Entries without a type are skipped, each with a report.
 *
 * @param report - called with a text per skipped entry
 */
export function fieldsOf(value: unknown, report: (problem: string) => void): readonly Field[] {
  const entries = listIn(value);
  if (value !== undefined && value !== null && !Array.isArray(value))
    report("its members are no list");
  if (entries.length > MAX_FIELDS)
    report(`only ${MAX_FIELDS} of ${entries.length} members are read`);
  return entries.slice(0, MAX_FIELDS).flatMap((one, index): Field[] => {
    const entry = objectIn(one);
    // The first Cairo 1 compilers write `ty`.
    const type = textIn(entry, "type") || textIn(entry, "ty");
    if (type === "" || type.length > MAX_NAME) {
      report(`member ${index} has no usable type`);
      return [];
    }
    const name = textIn(entry, "name").slice(0, MAX_NAME);
    return [{ name: name === "" ? String(index) : name, type, kind: textIn(entry, "kind") }];
  });
}

/** Returns the value if it is a list; an empty one if not. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Returns the value if it is an object; an empty one if not. */
export function objectIn(value: unknown): Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Entry)
    : {};
}

/** Returns a text member; an empty text if it is absent or no text. */
export function textIn(entry: Entry, name: string): string {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
  return typeof value === "string" ? value : "";
}
