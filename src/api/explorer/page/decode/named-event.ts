import { type Abi, EMPTY_ABI, eventsOf } from "../abi/abi.ts";
import { decodeFelts, type Decoded } from "../abi/decode.ts";

/** Event with the name and values that the ABI of its contract gives. */
export interface NamedEvent {
  readonly name: string;
  /** Complete name of its structure. */
  readonly path: string;
  readonly values: readonly Decoded[];
  /** Felts of the keys and data that no value has. */
  readonly rest: readonly string[];
  /** What does not fit; `null` if all felts were decoded. */
  readonly problem: string | null;
}

/** Decodes an event; `undefined` if the ABI has none with these keys. */
export function namedEvent(
  abi: Abi | undefined,
  keys: readonly string[],
  data: readonly string[],
): NamedEvent | undefined {
  const known = abi ?? EMPTY_ABI;
  let first: NamedEvent | undefined;
  // Components may have events of the same name: the one that the felts fit is meant.
  for (const event of eventsOf(known, keys)) {
    const fromKeys = decodeFelts(known, event.keys, keys.slice(event.selectors.length));
    const fromData = decodeFelts(known, event.data, data);
    const named: NamedEvent = {
      name: event.name,
      path: event.path,
      values: [...fromKeys.values, ...fromData.values],
      rest: [...fromKeys.rest, ...fromData.rest],
      problem: fromKeys.problem ?? fromData.problem,
    };
    if (named.problem === null) return named;
    first ??= named;
  }
  return first;
}
