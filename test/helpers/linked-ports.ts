import type { Port } from "#base/primitives/index.ts";
import { fakePort } from "./fake-port.ts";

/** Two ends of a channel as between threads: messages arrive in a later turn, in order. */
export function linkedPorts<A, B>(): readonly [Port<A, B>, Port<B, A>] {
  const left = fakePort<A, B>((message) => void setImmediate(() => right.tell(message)));
  const right = fakePort<B, A>((message) => void setImmediate(() => left.tell(message)));
  return [left, right];
}
