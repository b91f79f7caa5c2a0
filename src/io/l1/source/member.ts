import type { EndpointFault, FaultKind } from "../endpoint/fault.ts";
import type { RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import type { RangeReader } from "../logs/range-reader.ts";
import type { L1Block, L1EndpointState } from "../types.ts";
import type { L1SourceOptions } from "./options.ts";

const PASSING: ReadonlySet<FaultKind | undefined> = new Set<FaultKind>([
  "unreachable",
  "nonsense",
  "refused",
  "too_long",
]);

/** One of the endpoints of L1, and how far it is trusted to answer. */
export class Member {
  readonly endpoint: RpcEndpoint;
  readonly ranges: RangeReader;
  readonly #options: L1SourceOptions;
  /** The highest head that it told, and since when. */
  #head: L1Block | undefined;
  #headSinceMs = 0;
  #state: L1EndpointState = "unknown";
  #fault: EndpointFault | undefined;
  #failures = 0;
  #leftUntilMs = 0;
  /** Whether it is being asked whether it may come back. */
  isTried = false;

  constructor(endpoint: RpcEndpoint, ranges: RangeReader, options: L1SourceOptions) {
    this.endpoint = endpoint;
    this.ranges = ranges;
    this.#options = options;
  }

  get name(): string {
    return this.endpoint.name;
  }

  get state(): L1EndpointState {
    return this.#state;
  }

  /** Why it was left; `undefined`: it is not. */
  get fault(): EndpointFault | undefined {
    return this.#fault;
  }

  get isLeft(): boolean {
    return this.#state === "left";
  }

  /** Whether a left one may be tried again. */
  get isDue(): boolean {
    return this.#options.timer.nowMs() >= this.#leftUntilMs;
  }

  /** Whether it must not be asked now, because it said so. */
  get isResting(): boolean {
    return this.isLeft && this.#fault?.kind === "throttled" && !this.isDue;
  }

  /** Whether it was left for a failure that may be over at once, and that is noticed at once. */
  get isWorthAsking(): boolean {
    return this.isLeft && PASSING.has(this.#fault?.kind) && !this.isTried;
  }

  /** The highest head that it told. */
  get head(): L1Block | undefined {
    return this.#head;
  }

  /** For how long its head is the same, milliseconds. */
  get headAgeMs(): number {
    return this.#options.timer.nowMs() - this.#headSinceMs;
  }

  /** It told its head. */
  told(head: L1Block): void {
    if (this.#head !== undefined && head.number <= this.#head.number) return;
    this.restart(head);
  }

  /** What it told before counts no more. */
  restart(head: L1Block): void {
    this.#head = head;
    this.#headSinceMs = this.#options.timer.nowMs();
  }

  /** It answers, and is asked first or second (`in use`), or not. */
  use(state: "in use" | "standing by"): void {
    this.#change(state, undefined);
  }

  /** What was asked of it was answered to the end. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** It is not asked for a while, longer each time. */
  leave(fault: EndpointFault): void {
    const { firstPauseMs, maxPauseMs } = this.#options.limits;
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures++, 30));
    const waitMs = Math.min(maxPauseMs, Math.max(pauseMs, fault.retryAfterMs ?? 0));
    this.#leftUntilMs = this.#options.timer.nowMs() + waitMs;
    this.#change("left", fault);
  }

  #change(state: L1EndpointState, fault: EndpointFault | undefined): void {
    this.#fault = fault;
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onEndpoint(this.name, state, fault?.message);
  }
}
