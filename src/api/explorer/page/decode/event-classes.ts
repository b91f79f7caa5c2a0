import { type CallTree, nodesOf } from "./call-tree.ts";

/** Event of a receipt. */
export interface EmittedEvent {
  readonly emitter: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

/**
 * Returns the class that emitted each event, from the calls of a trace: behind a proxy, that is the class which the
 * proxy delegates to. Equal events of one contract are matched in the order of the trace.
 *
 * @returns class hashes in the order of the events; `undefined` for an event that no call of the trace has
 */
export function eventClassesOf(
  tree: CallTree,
  events: readonly EmittedEvent[],
): readonly (string | undefined)[] {
  const classes = new Map<string, string[]>();
  for (const { root } of tree.phases) {
    for (const { contract, classHash, events: emitted } of nodesOf(root)) {
      for (const { keys, data } of emitted) {
        const key = keyOf({ emitter: contract, keys, data });
        const known = classes.get(key);
        if (known === undefined) classes.set(key, [classHash]);
        else known.push(classHash);
      }
    }
  }
  return events.map((event) => classes.get(keyOf(event))?.shift());
}

function keyOf({ emitter, keys, data }: EmittedEvent): string {
  return `${emitter} ${keys.join()} ${data.join()}`;
}
