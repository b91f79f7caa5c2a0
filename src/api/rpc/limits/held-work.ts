import type { Timer } from "#base/primitives/index.ts";

/** Ports of a {@link HeldWork} to the budget. */
interface WorkPorts {
  readonly change: (bytes: number) => void;
  readonly hasRoom: () => boolean;
  readonly wait: () => Promise<boolean>;
  readonly end: () => void;
}

/** Request in progress, and the bytes that it holds. */
export class HeldWork {
  readonly #ports: WorkPorts;
  #bytes = 0;
  #isEnded = false;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  add(bytes: number): void {
    if (this.#isEnded) return;
    this.#bytes += bytes;
    this.#ports.change(bytes);
  }

  /** Whether it may start work that adds bytes right now. */
  get hasRoom(): boolean {
    return this.#ports.hasRoom();
  }

  /**
   * Whether it may start work that adds bytes. Without room, settles once there is some.
   *
   * @returns `false` if that took too long, or the client has disconnected: the unstarted part must be
   *   refused
   */
  room(): true | Promise<boolean> {
    return this.#ports.hasRoom() || this.#ports.wait();
  }

  /** Frees its bytes: they are counted elsewhere, or gone. Idempotent. */
  end(): void {
    if (this.#isEnded) return;
    this.#ports.change(-this.#bytes);
    this.#isEnded = true;
    this.#ports.end();
  }
}

/** Request that waits for room. */
interface RoomWaiter {
  readonly hasRoom: () => boolean;
  /** Whether its client has disconnected. */
  readonly isDisconnected: () => boolean;
}

interface Wait extends RoomWaiter {
  readonly settle: (hasRoom: boolean) => void;
  readonly sinceMs: number;
}

/** Requests that wait for room, in order of arrival. */
export class RoomWaits {
  readonly #patienceMs: number;
  readonly #timer: Timer;
  #waits: Wait[] = [];

  /** @param patienceMs - time after which a wait ends without room */
  constructor(patienceMs: number, timer: Timer) {
    this.#patienceMs = patienceMs;
    this.#timer = timer;
  }

  /** Settles once there is room; with `false` if that takes too long or the client disconnects. */
  add(waiter: RoomWaiter): Promise<boolean> {
    if (waiter.isDisconnected()) return Promise.resolve(false);
    return new Promise((settle) => {
      this.#waits.push({ ...waiter, settle, sinceMs: this.#timer.nowMs() });
    });
  }

  /** Continues all requests that have room by now. */
  wake(): void {
    this.#settle((wait) => wait.hasRoom(), true);
  }

  /** Ends waits that take too long, and those of clients that have disconnected. */
  check(): void {
    const sinceMs = this.#timer.nowMs() - this.#patienceMs;
    this.#settle((wait) => wait.sinceMs < sinceMs || wait.isDisconnected(), false);
  }

  #settle(isOver: (wait: Wait) => boolean, hasRoom: boolean): void {
    const ended = this.#waits.filter(isOver);
    if (ended.length === 0) return;
    const gone = new Set(ended);
    this.#waits = this.#waits.filter((wait) => !gone.has(wait));
    for (const { settle } of ended) settle(hasRoom);
  }
}
