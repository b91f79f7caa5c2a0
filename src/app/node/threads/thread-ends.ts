import { invariant } from "#base/errors/index.ts";
import type { PortBetween, KindOf, ThreadName, ThreadKind } from "./protocol.ts";
import { RelayPort } from "./relay-port.ts";

/** Main thread's end of a thread, with the flag that cancels its Cairo machine. */
export interface NodeThread<Kind extends ThreadKind = ThreadKind> {
  readonly port: PortBetween<"main", Kind>;
  readonly cancelFlag: Int32Array;
}

/**
 * The main thread's ends of its connections to all other threads. An end stays the same object when its
 * thread is replaced by a new one.
 */
export class ThreadEnds {
  readonly #relays = new Map<ThreadName, { connect(port: unknown): void; disconnect(): void }>();
  readonly #flags = new Map<ThreadName, Int32Array>();

  /** Creates the end of a thread. */
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

  /** Removes the end of a thread that no longer belongs to the node. */
  drop(name: ThreadName): void {
    this.#relays.delete(name);
    this.#flags.delete(name);
  }

  /** Names of all threads, in the order of creation. */
  get names(): readonly ThreadName[] {
    return [...this.#flags.keys()];
  }

  /** Returns the flag that cancels a thread's Cairo machine. */
  flagOf(name: ThreadName): Int32Array {
    const flag = this.#flags.get(name);
    invariant(flag !== undefined, `there is a flag of ${name}`);
    return flag;
  }

  /** Connects an end to a new thread. */
  connect(name: ThreadName, target: unknown): void {
    this.#relays.get(name)?.connect(target);
  }

  /** Disconnects all ends: messages are queued until the next {@link connect}. */
  disconnect(): void {
    for (const relay of this.#relays.values()) relay.disconnect();
  }

  /** Clears all cancel flags. */
  lowerFlags(): void {
    for (const flag of this.#flags.values()) Atomics.store(flag, 0, 0);
  }
}
