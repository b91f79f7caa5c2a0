import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/**
 * Fetches the values of a fork's origin that work on an admission thread lacked; the thread does
 * not wait for them.
 */
export interface MissingValues {
  /**
   * Obtains what an error says is missing; never rejects.
   *
   * @param sender - account whose usual values are obtained, too
   * @returns `undefined` once the work may be repeated; otherwise why it cannot be done
   */
  obtain(error: OriginError, sender: Felt | undefined): Promise<OriginError | undefined>;
  /** Announces an encoded transaction that is going to be checked and executed. */
  announce(bytes: Uint8Array): void;
}

/** {@link MissingValues} of a chain that is no fork: it fetches nothing. */
export const NOTHING_MISSING: MissingValues = {
  obtain: (error) => Promise.resolve(error),
  announce: () => undefined,
};

/** Work of an admission thread that is repeated if it lacked values of a fork's origin. */
export interface RetriedWork {
  /** Returns the account whose values the work is likely to need. */
  readonly senderOf: () => Felt | undefined;
  /**
   * Does the work. It must change nothing before it has all values.
   *
   * @param round - counts the attempts, from 1
   * @throws {OriginError} when a value is missing
   */
  readonly work: (round: number) => void;
  /** Called instead when a value cannot be obtained. */
  readonly lost: (error: OriginError) => void;
}

/** Maximum pieces of work that wait for values of the origin; more are refused. */
export const MAX_WAITING = 512;

/**
 * Maximum attempts of one piece of work. Each attempt finds at least one more value missing, which is then
 * obtained, unless values obtained before were evicted meanwhile.
 */
export const MAX_ROUNDS = 64;

/** Repeats work that lacked values of a fork's origin once they are obtained. Other work continues meanwhile. */
export class OriginRetries {
  readonly #missing: MissingValues;
  readonly #push: (repeat: () => void) => void;
  #waiting = 0;
  #isStopped = false;

  /** @param push - runs a repetition in its turn */
  constructor(missing: MissingValues, push: (repeat: () => void) => void) {
    this.#missing = missing;
    this.#push = push;
  }

  /**
   * Does work now; repeats it later if it lacks values.
   *
   * @throws whatever else the work throws
   */
  run(retried: RetriedWork): void {
    this.#run(retried, 1);
  }

  /** Drops all work that waits for values. */
  stop(): void {
    this.#isStopped = true;
  }

  #run(retried: RetriedWork, round: number): void {
    try {
      retried.work(round);
    } catch (error) {
      if (!(error instanceof OriginError)) throw error;
      if (this.#waiting >= MAX_WAITING || round >= MAX_ROUNDS) retried.lost(error);
      else void this.#repeat(retried, round, error);
    }
  }

  async #repeat(retried: RetriedWork, round: number, error: OriginError): Promise<void> {
    this.#waiting++;
    const failure = await this.#missing.obtain(error, retried.senderOf());
    this.#waiting--;
    if (this.#isStopped) return;
    if (failure === undefined) this.#push(() => this.#run(retried, round + 1));
    else retried.lost(failure);
  }
}
