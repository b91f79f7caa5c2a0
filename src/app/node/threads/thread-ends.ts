import { invariant } from "#base/errors/index.ts";
import type { PortBetween, KindOf, ThreadName, ThreadKind } from "./protocol.ts";
import { RelayPort } from "./relay-port.ts";

/** The main thread's end of a thread, with the flag that cancels its Cairo machine. */
export interface NodeThread<Kind extends ThreadKind = ThreadKind> {
  readonly port: PortBetween<"main", Kind>;
  readonly cancelFlag: Int32Array;
}

/** The main thread's ends, whichever threads stand at the others. */
export class ThreadEnds {
  readonly #relays = new Map<ThreadName, { connect(port: unknown): void; disconnect(): void }>();
  readonly #flags = new Map<ThreadName, Int32Array>();

  /** Makes the end of a thread. */
  make<Name extends ThreadName>(name: Name): NodeThread<KindOf<Name>> {
    type End = PortBetween<"main", KindOf<Name>>;
    const port = new RelayPort<
      Parameters<Parameters<End["listen"]>[0]>[0],
      Parameters<End["send"]>[0]
    >();
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
    this.#relays.set(name, {
      connect: (target) => port.connect(target as End),
      disconnect: () => port.disconnect(),
    });
    this.#flags.set(name, cancelFlag);
    return { port: port as End, cancelFlag };
  }

  /** The thread is not one of the node's any more. */
  drop(name: ThreadName): void {
    this.#relays.delete(name);
    this.#flags.delete(name);
  }

  /** Those of all threads, in the order in which they were made. */
  get names(): readonly ThreadName[] {
    return [...this.#flags.keys()];
  }

  /** The flag that cancels what a thread's Cairo machine runs. */
  flagOf(name: ThreadName): Int32Array {
    const flag = this.#flags.get(name);
    invariant(flag !== undefined, `there is a flag of ${name}`);
    return flag;
  }

  /** A thread stands at the other end from now on. */
  connect(name: ThreadName, target: unknown): void {
    this.#relays.get(name)?.connect(target);
  }

  /** No thread stands at any other end: what is sent waits. */
  disconnect(): void {
    for (const relay of this.#relays.values()) relay.disconnect();
  }

  /** Nothing is to be cancelled any more. */
  lowerFlags(): void {
    for (const flag of this.#flags.values()) Atomics.store(flag, 0, 0);
  }
}
