import { keyedEvents } from "./event-index.ts";
import { feltText } from "./felt.ts";
import type { Abi, AbiEvent, AbiFunction } from "./model.ts";
import {
  type Entry,
  type Field,
  fieldsOf,
  listIn,
  MAX_NAME,
  objectIn,
  textIn,
} from "./read-entry.ts";
import { selectorOf } from "./selector.ts";

export type { Abi, AbiEvent, AbiFunction } from "./model.ts";

/** Maximum number of entries, those of interfaces included. */
const MAX_ENTRIES = 10_000;
const MAX_PROBLEMS = 20;
/** Maximum characters of a problem. */
const MAX_PROBLEM = 300;
/** Maximum characters of a name or JSON text in a problem. */
const MAX_SHOWN = 80;

/** ABI without entries, for a class whose ABI is unknown. */
export const EMPTY_ABI: Abi = {
  functions: [],
  functionsBySelector: new Map(),
  events: [],
  eventsBySelector: new Map(),
  structs: new Map(),
  enums: new Map(),
  problems: [],
};

/** Reads an ABI, as a list or as its JSON text. Never throws: `problems` names unusable entries. */
export function readAbi(source: unknown): Abi {
  const reader = new AbiReader();
  const list = parsedList(source);
  if (list === undefined) reader.problem("The ABI is no JSON list.");
  for (const entry of list ?? []) {
    if (!reader.read(entry, "")) break;
  }
  return reader.finish();
}

/** Returns the function, constructor or L1 handler with a selector. */
export function functionOf(abi: Abi, selector: string): AbiFunction | undefined {
  return abi.functionsBySelector.get(feltText(selector));
}

/** Returns the events whose selectors are at the start of these keys, those with more selectors first. */
export function eventsOf(abi: Abi, keys: readonly string[]): readonly AbiEvent[] {
  const found = abi.eventsBySelector.get(feltText(keys[0])) ?? [];
  return found.filter(({ selectors }) => selectors.every((one, i) => one === feltText(keys[i])));
}

function parsedList(source: unknown): readonly unknown[] | undefined {
  if (Array.isArray(source)) return source as readonly unknown[];
  if (typeof source !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(source);
    return Array.isArray(parsed) ? (parsed as readonly unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

class AbiReader {
  readonly #functions: AbiFunction[] = [];
  readonly #structs = new Map<string, readonly Field[]>();
  readonly #enums = new Map<string, readonly Field[]>();
  readonly #eventEntries = new Map<string, Entry>();
  readonly #problems: string[] = [];
  #entries = 0;

  /** @returns `false` after the last entry that is read */
  read(value: unknown, interfaceName: string): boolean {
    if (++this.#entries > MAX_ENTRIES) {
      this.problem(`Only the first ${MAX_ENTRIES} entries are read.`);
      return false;
    }
    const entry = objectIn(value);
    const type = textIn(entry, "type");
    const name = textIn(entry, "name") || (type === "constructor" ? type : "");
    const report = (text: string): void =>
      this.problem(`${type} “${name.slice(0, MAX_SHOWN)}”: ${text}`);
    if (type === "" || name === "" || name.length > MAX_NAME) {
      this.problem(`An entry has no usable type and name: ${shortJson(value)}`);
    } else if (type === "function" || type === "constructor" || type === "l1_handler") {
      this.#function(type, name, entry, interfaceName, report);
    } else if (type === "struct") {
      this.#structs.set(name, fieldsOf(entry["members"], report));
    } else if (type === "enum") {
      this.#enums.set(name, fieldsOf(entry["variants"], report));
    } else if (type === "event") {
      this.#eventEntries.set(name, entry);
    } else if (type === "interface") {
      return this.#interface(name, entry, report);
    } else if (type !== "impl") {
      report("the kind of entry is unknown");
    }
    return true;
  }

  problem(text: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(text.slice(0, MAX_PROBLEM));
    else if (this.#problems.length === MAX_PROBLEMS)
      this.#problems.push("More entries are unusable.");
  }

  finish(): Abi {
    const functions = this.#functions;
    const events = keyedEvents(this.#eventEntries, (text) => this.problem(text));
    const eventsBySelector = new Map<string, AbiEvent[]>();
    for (const event of events) {
      const [first = ""] = event.selectors;
      const same = eventsBySelector.get(first);
      if (same === undefined) eventsBySelector.set(first, [event]);
      else same.push(event);
    }
    for (const same of eventsBySelector.values()) {
      same.sort((a, b) => b.selectors.length - a.selectors.length);
    }
    return {
      functions,
      functionsBySelector: new Map(functions.toReversed().map((one) => [one.selector, one])),
      events,
      eventsBySelector,
      structs: this.#structs,
      enums: this.#enums,
      problems: this.#problems,
    };
  }

  #interface(name: string, entry: Entry, report: (text: string) => void): boolean {
    if (!Array.isArray(entry["items"])) report("it has no list of items");
    // No compiler nests interfaces; a hostile ABI could nest them without end.
    return listIn(entry["items"]).every(
      (item) => textIn(objectIn(item), "type") === "interface" || this.read(item, name),
    );
  }

  #function(
    kind: AbiFunction["kind"],
    name: string,
    entry: Entry,
    interfaceName: string,
    report: (text: string) => void,
  ): void {
    const outputs = fieldsOf(entry["outputs"], report).map((field) =>
      /^\d+$/.test(field.name) ? { ...field, name: "" } : field,
    );
    // The first Cairo 1 compilers write the type of the only result.
    const type = textIn(entry, "output_ty");
    this.#functions.push({
      name,
      kind,
      inputs: fieldsOf(entry["inputs"], report),
      outputs: type === "" ? outputs : [{ name: "", type, kind: "" }],
      isView: entry["stateMutability"] === "view" || entry["state_mutability"] === "view",
      interface: interfaceName,
      selector: selectorOf(name),
    });
  }
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(typeof value === "object" ? Object.keys(value ?? {}) : value) ?? "";
  return text.slice(0, MAX_SHOWN);
}
