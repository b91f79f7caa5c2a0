import type { Messages, RoleOf, ThreadName } from "./protocol.ts";

/** The ports of each thread by the name of the thread at the other end. */
export type ThreadPorts = ReadonlyMap<ThreadName, Partial<Record<ThreadName, MessagePort>>>;

/** Two threads, the first of which posts to the second: whether it answers, too, says the table. */
export type Edge<From extends ThreadName = ThreadName> = {
  [Name in From]: readonly [Name, ThreadName & NameOf<keyof Messages[RoleOf<Name>]>];
}[From];

type NameOf<Role> = Role extends "query" ? `query-${number}` : Role;

/** A channel for each edge; every thread gets its ends by the other's name. */
export function connectThreads(names: readonly ThreadName[], edges: readonly Edge[]): ThreadPorts {
  const ports = new Map<ThreadName, Partial<Record<ThreadName, MessagePort>>>(
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
