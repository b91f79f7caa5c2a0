import type { PlannedEdge } from "./plan.ts";
import { kindOf, type PlannedKind, type ThreadName } from "./protocol.ts";

/** Ports of each thread, by the name of the thread at the other end. */
export type ThreadPorts = ReadonlyMap<ThreadName, Partial<Record<ThreadName, MessagePort>>>;

/** Creates a channel for each edge. @returns each thread's ports by the other thread's name */
export function connectThreads(
  names: readonly ThreadName[],
  edges: readonly PlannedEdge[],
): ThreadPorts {
  const ports = new Map<ThreadName, Partial<Record<ThreadName, MessagePort>>>(
    names.map((name) => [name, {}]),
  );
  const namesOf = (kind: PlannedKind): readonly ThreadName[] =>
    names.filter((name) => kindOf(name) === kind);
  for (const [from, to] of edges) {
    for (const a of namesOf(from)) {
      for (const b of namesOf(to)) {
        const { port1, port2 } = new MessageChannel();
        const endsOfA = ports.get(a);
        const endsOfB = ports.get(b);
        if (endsOfA !== undefined) endsOfA[b] = port1;
        if (endsOfB !== undefined) endsOfB[a] = port2;
      }
    }
  }
  return ports;
}
