import type { Timer } from "#base/primitives/index.ts";

/** What a {@link HeldWork} needs of the budget. */
interface WorkPorts {
  readonly change: (bytes: number) => void;
  readonly hasRoom: () => boolean;
  readonly wait: () => Promise<boolean>;
  readonly end: () => void;
}

/** A request in progress, and the bytes that it holds. */
export class HeldWork {
  readonly #ports: WorkPorts;
  #bytes = 0;
  #isEnded = false;

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  /** It holds so many bytes more. */
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
   * Whether it may start work that adds bytes. Where there is no room, settles once there is.
   *
   * @returns `false` when that has taken too long, or the client has left: what it has not started is to be refused
   */
  room(): true | Promise<boolean> {
    return this.#ports.hasRoom() || this.#ports.wait();
  }

  /** Frees its bytes: they are counted elsewhere, or gone. May be called again. */
  end(): void {
    if (this.#isEnded) return;
    this.#ports.change(-this.#bytes);
    this.#isEnded = true;
    this.#ports.end();
  }
}

/** Who waits for room. */
interface RoomWaiter {
  readonly hasRoom: () => boolean;
  /** Whether its client has left. */
  readonly hasLeft: () => boolean;
}

interface Wait extends RoomWaiter {
  readonly settle: (hasRoom: boolean) => void;
  readonly sinceMs: number;
}

/** Requests that wait for room, in the order in which they came. */
export class RoomWaits {
  readonly #patienceMs: number;
  readonly #timer: Timer;
  #waits: Wait[] = [];

  /** @param patienceMs - who waits longer is told that there is no room */
  constructor(patienceMs: number, timer: Timer) {
    this.#patienceMs = patienceMs;
    this.#timer = timer;
  }

  /** Settles once there is room, or with `false` when that takes too long or the client has left. */
  add(waiter: RoomWaiter): Promise<boolean> {
    if (waiter.hasLeft()) return Promise.resolve(false);
    return new Promise((settle) => {
      this.#waits.push({ ...waiter, settle, sinceMs: this.#timer.nowMs() });
    });
  }

  /** Lets everybody continue that has room by now. */
  wake(): void {
    this.#settle((wait) => wait.hasRoom(), true);
  }

  /** Ends waits that take too long, and those of clients that have left. */
  check(): void {
    const sinceMs = this.#timer.nowMs() - this.#patienceMs;
    this.#settle((wait) => wait.sinceMs < sinceMs || wait.hasLeft(), false);
  }

  #settle(isOver: (wait: Wait) => boolean, hasRoom: boolean): void {
    const ended = this.#waits.filter(isOver);
    if (ended.length === 0) return;
    const gone = new Set(ended);
    this.#waits = this.#waits.filter((wait) => !gone.has(wait));
    for (const { settle } of ended) settle(hasRoom);
  }
}
