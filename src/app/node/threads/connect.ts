import type { PortName } from "./protocol.ts";

/** The ports of each thread by the name of the thread at the other end. */
export type ThreadPorts = ReadonlyMap<PortName, Partial<Record<PortName, MessagePort>>>;

/** A channel for each edge; every thread gets its ends by the other's name. */
export function connectThreads(
  names: readonly PortName[],
  edges: readonly (readonly [PortName, PortName])[],
): ThreadPorts {
  const ports = new Map<PortName, Partial<Record<PortName, MessagePort>>>(
    names.map((name) => [name, {}]),
  );
  for (const [a, b] of edges) {
    const { port1, port2 } = new MessageChannel();
    const endsOfA = ports.get(a);
    const endsOfB = ports.get(b);
    if (endsOfA !== undefined) endsOfA[b] = port1;
    if (endsOfB !== undefined) endsOfB[a] = port2;
  }
  return ports;
}
