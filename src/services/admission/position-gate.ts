import type { Timer } from "#base/primitives/index.ts";
import { hasReached, positionAt, type ReadPosition } from "#engine/state/index.ts";

/**
 * Read side of a {@link PositionGate}: the position that this thread has seen, and a wait until it has seen the one
 * that another thread had seen when it sent its request.
 */
export interface PositionView {
  readonly position: ReadPosition;
  reach(wanted: ReadPosition): Promise<boolean> | undefined;
}

/**
 * Timeout for a thread to catch up. Messages take milliseconds, so a thread that misses one for this long is
 * broken.
 */
export const POSITION_TIMEOUT_MS = 5_000;

interface Waiter {
  readonly wanted: ReadPosition;
  readonly settle: (isReached: boolean) => void;
}

/** Tracks a thread's position in the chain, and callers that wait for a later one. */
export class PositionGate implements PositionView {
  readonly #timer: Timer;
  #position: ReadPosition;
  #waiters: Waiter[] = [];

  /** @param accepted - newest accepted block at startup; -1 without blocks */
  constructor(accepted: number, timer: Timer) {
    this.#position = positionAt(accepted);
    this.#timer = timer;
  }

  get position(): ReadPosition {
    return this.#position;
  }

  /** Advances to a delta. */
  delta(blockNumber: number, sequence: number): void {
    const delta = { ...this.#position, blockNumber, sequence };
    if (hasReached(this.#position, delta)) return;
    this.#moveTo(delta);
  }

  /** Advances to an accepted block, which must be readable. */
  accepted(blockNumber: number): void {
    if (blockNumber <= this.#position.accepted) return;
    this.#moveTo({ ...this.#position, accepted: blockNumber });
  }

  /** Drops everything above the accepted blocks, and releases callers that wait for it. */
  lost(): void {
    const { accepted, generation } = this.#position;
    this.#moveTo({ ...positionAt(accepted), generation: generation + 1 });
  }

  /** Resets after a revert to `accepted`; pending waits fail. */
  reset(accepted: number): void {
    this.#position = positionAt(accepted);
    for (const { settle } of this.#waiters.splice(0)) settle(false);
  }

  /**
   * Waits until this thread has seen everything at `wanted`, at most {@link POSITION_TIMEOUT_MS}.
   *
   * @returns `undefined` when already reached; otherwise settles with whether it was reached in time
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
