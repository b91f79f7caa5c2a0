import type { AbiEvent } from "./model.ts";
import { type Entry, type Field, fieldsOf, textIn } from "./read-entry.ts";
import { selectorOf } from "./selector.ts";

/** Limits of nested enumerations of events; hostile ones could nest without end or multiply. */
const MAX_DEPTH = 12;
const MAX_VISITS = 20_000;
const MAX_MEMBERS = 2_000;

type Parts = Pick<AbiEvent, "keys" | "data">;

/**
 * Returns the events with the selectors at the start of their keys. A variant of an enumeration adds the selector of
 * its name, unless it is flat. Events that no enumeration names, such as those of Cairo 0, have that of the event's name.
 *
 * @param report - called with a text per unusable part
 */
export function keyedEvents(
  entries: ReadonlyMap<string, Entry>,
  report: (problem: string) => void,
): readonly AbiEvent[] {
  const nested = new Set<string>();
  for (const entry of entries.values()) {
    for (const { type } of variantsOf(entry, report)) nested.add(type);
  }
  const walk = new EventWalk(entries, report);
  for (const [name, entry] of entries) {
    if (!nested.has(name)) walk.visit(shortName(name), name, entry, [], 0);
  }
  return walk.events;
}

class EventWalk {
  readonly events: AbiEvent[] = [];
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #report: (problem: string) => void;
  readonly #variants = new Map<string, readonly Field[]>();
  readonly #known = new Map<Entry, Parts>();
  #visits = 0;

  constructor(entries: ReadonlyMap<string, Entry>, report: (problem: string) => void) {
    this.#entries = entries;
    this.#report = report;
  }

  visit(name: string, path: string, entry: Entry, above: readonly string[], depth: number): void {
    if (++this.#visits > MAX_VISITS || depth > MAX_DEPTH) {
      if (this.#visits <= MAX_VISITS + 1) this.#report(`event “${name}”: it nests too deep`);
      return;
    }
    if (textIn(entry, "kind") !== "enum") {
      const selectors = above.length === 0 ? [selectorOf(name)] : above;
      this.events.push({ name, path, selectors, ...this.#parts(entry, 0) });
      return;
    }
    let variants = this.#variants.get(path);
    if (variants === undefined) {
      variants = variantsOf(entry, () => undefined);
      this.#variants.set(path, variants);
    }
    for (const { name: variant, type, kind } of variants) {
      if (this.#visits > MAX_VISITS) return;
      const inner = this.#entries.get(type);
      if (inner === undefined) this.#report(`event “${path}”: no event is named ${type}`);
      else
        this.visit(
          variant,
          type,
          inner,
          kind === "flat" ? above : [...above, selectorOf(variant)],
          depth + 1,
        );
    }
  }

  /** Returns the members in the keys and in the data; members that are events add theirs in place. */
  #parts(entry: Entry, depth: number): Parts {
    let parts = this.#known.get(entry);
    if (parts === undefined) {
      parts = this.#newParts(entry, depth);
      this.#known.set(entry, parts);
    }
    return parts;
  }

  #newParts(entry: Entry, depth: number): Parts {
    if (!Array.isArray(entry["members"])) {
      // Cairo 0, and the first Cairo 1 compilers, whose events have all values in the data.
      const keys = fieldsOf(entry["keys"], this.#report);
      return { keys, data: fieldsOf(entry["data"] ?? entry["inputs"], this.#report) };
    }
    const keys: Field[] = [];
    const data: Field[] = [];
    for (const member of fieldsOf(entry["members"], this.#report)) {
      const inner = member.kind === "nested" ? this.#entries.get(member.type) : undefined;
      if (keys.length + data.length > MAX_MEMBERS) break;
      if (inner !== undefined && depth < MAX_DEPTH) {
        const parts = this.#parts(inner, depth + 1);
        keys.push(...parts.keys.slice(0, MAX_MEMBERS));
        data.push(...parts.data.slice(0, MAX_MEMBERS));
      } else (member.kind === "key" ? keys : data).push(member);
    }
    return { keys, data };
  }
}

function variantsOf(entry: Entry, report: (problem: string) => void): readonly Field[] {
  return textIn(entry, "kind") === "enum" ? fieldsOf(entry["variants"], report) : [];
}

function shortName(path: string): string {
  return path.slice(path.lastIndexOf("::") + 1).replace(/^:/, "");
}
