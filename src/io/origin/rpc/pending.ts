import type { JsonValue } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { RpcParams } from "#io/client/index.ts";
import { unavailable } from "../errors.ts";
import type { OriginLane } from "./lane.ts";
import type { OriginSpec } from "./spec.ts";

/** Value that is fetched from an origin, with the deadline of all its calls. */
export interface OriginTask {
  /** What is fetched, for messages: the text of a query. */
  readonly what: string;
  /** Deadline in milliseconds of the timer. Moved while this program works, and waits for no response. */
  endsAtMs: number;
  /**
   * Names of the URLs that have responded so far; `true` for those that did not find a block by the requested hash,
   * and responded for its number.
   */
  readonly servers: Map<string, boolean>;
}

/** Form of a call for URLs that do not find a block by its hash. */
export interface NumberedForm {
  /** Error codes of such a URL. */
  readonly codes: ReadonlySet<number>;
  /** Replaces the hash in parameters by the block's number; `undefined` if they name another block or none. */
  readonly paramsOf: (params: RpcParams) => RpcParams | undefined;
}

/** Call of an origin. */
export interface OriginCall {
  /** Full method name. */
  readonly method: string;
  /**
   * Creates the parameters for the specification of a URL.
   *
   * @throws {OriginError} ORIGIN_REFUSED when the specification cannot express the call
   */
  readonly params: (spec: OriginSpec) => RpcParams;
  /** Whether the result may be large: such a call has its own request. */
  readonly isLarge: boolean;
  /** Name of the only URL that may respond; without it, any may. */
  readonly only?: string;
  /** Without it, an error for the hash of a block is the result. */
  readonly numbered?: NumberedForm;
}

/** Result of a call, with the URL that returned it. */
export interface OriginReply {
  readonly value: JsonValue;
  /** Name of the URL. */
  readonly name: string;
  readonly spec: OriginSpec;
  /** Whether the URL did not find the block by its hash, and responded for its number. */
  readonly isNumbered: boolean;
}

/** Conditions that end the wait for a response. */
export interface PendingEnds {
  readonly timer: Timer;
  readonly signal: AbortSignal;
  /** Called at the deadline; must settle the call. */
  readonly onDeadline: (pending: PendingCall) => void;
}

/** Call that waits for its response. */
export class PendingCall {
  readonly call: OriginCall;
  readonly task: OriginTask;
  readonly reply: Promise<OriginReply>;
  /** When it was requested, in milliseconds of the timer. */
  readonly startedAtMs: number;
  /** URLs that failed to return a usable response. */
  readonly tried = new Set<OriginLane>();
  /** Last failure, the cause of a missed deadline. */
  lastFailure: AppError | undefined;
  /** Number of times that the origin reported an internal error. */
  internalErrors = 0;
  readonly #named: OriginLane | undefined;
  /** URL that did not find the block by its hash, and gets its number. */
  #numberedAt: OriginLane | undefined;
  /** Whether it was sent with the number of a block in place of its hash. */
  isNumbered = false;
  /** Whether its response exceeded the limit of ordinary ones: one such call is in flight at a time. */
  isHuge = false;
  #settle: ((outcome: OriginReply | AppError) => void) | undefined;

  /** @param only - the URL that the call names, if it names one */
  constructor(
    call: OriginCall,
    task: OriginTask,
    { timer, signal, onDeadline }: PendingEnds,
    only: OriginLane | undefined,
  ) {
    this.call = call;
    this.task = task;
    this.#named = only;
    this.startedAtMs = timer.nowMs();
    this.reply = new Promise((resolve, reject) => {
      const stop = (): void => this.settle(unavailable(`"${task.what}" was stopped`));
      const remainingMs = Math.max(0, task.endsAtMs - this.startedAtMs);
      const cancel = timer.after(remainingMs, () => onDeadline(this));
      signal.addEventListener("abort", stop);
      this.#settle = (outcome) => {
        cancel();
        signal.removeEventListener("abort", stop);
        if (outcome instanceof AppError) reject(outcome);
        else resolve(outcome);
      };
      if (signal.aborted) stop();
    });
  }

  /** The only URL that may respond; `undefined` if any may. */
  get only(): OriginLane | undefined {
    return this.#numberedAt ?? this.#named;
  }

  /** Records that the last URL did not respond, so that others may again. */
  failed(): void {
    this.#numberedAt = undefined;
    this.isNumbered = false;
  }

  /** Whether its response arrived or its deadline ended. */
  get isSettled(): boolean {
    return this.#settle === undefined;
  }

  /**
   * Returns the parameters for a URL.
   *
   * @returns `undefined` when its specification cannot express the call, which is then settled
   */
  paramsFor({ refusesHashes }: OriginLane, spec: OriginSpec): RpcParams | undefined {
    try {
      const params = this.call.params(spec);
      const wantsNumber = refusesHashes || this.isNumbered;
      const numbered = wantsNumber ? this.call.numbered?.paramsOf(params) : undefined;
      this.isNumbered = numbered !== undefined;
      return numbered ?? params;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.settle(error);
      return undefined;
    }
  }

  /**
   * Prepares to ask a URL once more, for the number of the block.
   *
   * @returns `false` if the URL refuses the call for another reason than its hash
   */
  numberedAfter(rpcCode: number, lane: OriginLane, spec: OriginSpec): boolean {
    const { numbered, params } = this.call;
    if (this.isNumbered || numbered?.codes.has(rpcCode) !== true) return false;
    if (numbered.paramsOf(params(spec)) === undefined) return false;
    this.isNumbered = true;
    this.#numberedAt = lane;
    return true;
  }

  /** Settles {@link reply}; no effect after the first time. */
  settle(outcome: OriginReply | AppError): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(outcome);
  }
}
