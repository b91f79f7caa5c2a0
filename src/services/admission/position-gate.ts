import type { Timer } from "#base/primitives/index.ts";
import { hasReached, positionAt, type ReadPosition } from "#engine/state/index.ts";

/** What threads that answer each other need to know of a gate. */
export interface PositionView {
  readonly position: ReadPosition;
  reach(wanted: ReadPosition): Promise<boolean> | undefined;
}

/** A message is on its way for milliseconds; a thread that does not get it for this long is broken. */
export const POSITION_TIMEOUT_MS = 5_000;

interface Waiter {
  readonly wanted: ReadPosition;
  readonly settle: (isReached: boolean) => void;
}

/** Keeps a thread's position, and whoever waits for a later one. */
export class PositionGate implements PositionView {
  readonly #timer: Timer;
  #position: ReadPosition;
  #waiters: Waiter[] = [];

  /** @param accepted - newest accepted block at the start; -1 when there is none */
  constructor(accepted: number, timer: Timer) {
    this.#position = positionAt(accepted);
    this.#timer = timer;
  }

  get position(): ReadPosition {
    return this.#position;
  }

  /** A delta was taken in. */
  delta(blockNumber: number, sequence: number): void {
    const delta = { ...this.#position, blockNumber, sequence };
    if (hasReached(this.#position, delta)) return;
    this.#moveTo(delta);
  }

  /** A block is accepted, and can be read. */
  accepted(blockNumber: number): void {
    if (blockNumber <= this.#position.accepted) return;
    this.#moveTo({ ...this.#position, accepted: blockNumber });
  }

  /** What stood above the accepted blocks is lost: nobody waits for it any more. */
  lost(): void {
    const { accepted, generation } = this.#position;
    this.#moveTo({ ...positionAt(accepted), generation: generation + 1 });
  }

  /** The chain was reverted: `accepted` is the newest block. Who waits has waited in vain. */
  reset(accepted: number): void {
    this.#position = positionAt(accepted);
    for (const { settle } of this.#waiters.splice(0)) settle(false);
  }

  /**
   * Waits until everything that `wanted` has seen was seen here, for {@link POSITION_TIMEOUT_MS}.
   *
   * @returns `undefined` when it was already; else settles with whether it was in time
   */
  reach(wanted: ReadPosition): Promise<boolean> | undefined {
    if (hasReached(this.#position, wanted)) return undefined;
    return new Promise((resolve) => {
      const cancel = this.#timer.after(POSITION_TIMEOUT_MS, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
      const settle = (isReached: boolean): void => {
        cancel();
        resolve(isReached);
      };
      const waiter: Waiter = { wanted, settle };
      this.#waiters.push(waiter);
    });
  }

  #moveTo(position: ReadPosition): void {
    this.#position = position;
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ wanted }) => !hasReached(position, wanted));
    for (const { wanted, settle } of waiters) if (hasReached(position, wanted)) settle(true);
  }
}
