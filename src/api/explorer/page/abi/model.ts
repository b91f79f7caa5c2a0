import type { Field } from "./read-entry.ts";

/** Function, constructor or L1 handler of a class. */
export interface AbiFunction {
  readonly name: string;
  readonly kind: "function" | "constructor" | "l1_handler";
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  readonly isView: boolean;
  /** Name of the interface that it belongs to; empty if none. */
  readonly interface: string;
  /** Selector in hex. */
  readonly selector: string;
}

/** Event with the selectors at the start of its keys. */
export interface AbiEvent {
  /** Name of the variant or event. */
  readonly name: string;
  /** Complete name of the structure. */
  readonly path: string;
  /** Several for nested enumerations of events. */
  readonly selectors: readonly string[];
  readonly keys: readonly Field[];
  readonly data: readonly Field[];
}

/** ABI of a class, indexed. */
export interface Abi {
  readonly functions: readonly AbiFunction[];
  /** Functions, constructor and L1 handlers by selector. */
  readonly functionsBySelector: ReadonlyMap<string, AbiFunction>;
  readonly events: readonly AbiEvent[];
  /** Events by their first selector. */
  readonly eventsBySelector: ReadonlyMap<string, readonly AbiEvent[]>;
  /** Members by name of the structure. */
  readonly structs: ReadonlyMap<string, readonly Field[]>;
  /** Variants by name of the enumeration, in order. */
  readonly enums: ReadonlyMap<string, readonly Field[]>;
  /** Unusable entries, each with the reason. */
  readonly problems: readonly string[];
}
