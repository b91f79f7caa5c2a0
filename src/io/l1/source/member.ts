import type { EndpointFault, FaultKind } from "../endpoint/fault.ts";
import type { RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import type { RangeReader } from "../logs/range-reader.ts";
import type { L1Block, L1EndpointState } from "../types.ts";
import type { L1SourceOptions } from "./options.ts";

const FAST_FAILING: ReadonlySet<FaultKind | undefined> = new Set<FaultKind>([
  "unreachable",
  "nonsense",
  "refused",
  "too_long",
]);

/** L1 endpoint with its health state. */
export class Member {
  readonly endpoint: RpcEndpoint;
  readonly ranges: RangeReader;
  readonly #options: L1SourceOptions;
  /** Highest head that it reported, and since when. */
  #head: L1Block | undefined;
  #headSinceMs = 0;
  #state: L1EndpointState = "unknown";
  #fault: EndpointFault | undefined;
  #failures = 0;
  #avoidedUntilMs = 0;
  /** Whether a recovery probe is in flight. */
  isProbing = false;

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

  /** Why it is avoided; `undefined` if it is not. */
  get fault(): EndpointFault | undefined {
    return this.#fault;
  }

  get isAvoided(): boolean {
    return this.#state === "left";
  }

  get mayProbe(): boolean {
    return this.#options.timer.nowMs() >= this.#avoidedUntilMs;
  }

  /** Whether it requested a pause that is not over yet. */
  get isPaused(): boolean {
    return this.isAvoided && this.#fault?.kind === "throttled" && !this.mayProbe;
  }

  /** Whether it failed in a way that may be over soon and fails fast if it is not. */
  get isWorthProbing(): boolean {
    return this.isAvoided && FAST_FAILING.has(this.#fault?.kind) && !this.isProbing;
  }

  get head(): L1Block | undefined {
    return this.#head;
  }

  /** Milliseconds since its head last advanced. */
  get headAgeMs(): number {
    return this.#options.timer.nowMs() - this.#headSinceMs;
  }

  recordHead(head: L1Block): void {
    if (this.#head !== undefined && head.number <= this.#head.number) return;
    this.restart(head);
  }

  /** Replaces the recorded head, even by a lower one. */
  restart(head: L1Block): void {
    this.#head = head;
    this.#headSinceMs = this.#options.timer.nowMs();
  }

  /** Marks it as responding; `in use` for the two most preferred endpoints. */
  use(state: "in use" | "standing by"): void {
    this.#change(state, undefined);
  }

  /** Resets the failure count after a completed read. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Avoids it for a while, longer after each failure. */
  avoid(fault: EndpointFault): void {
    const { firstPauseMs, maxPauseMs } = this.#options.limits;
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(this.#failures++, 30));
    const waitMs = Math.min(maxPauseMs, Math.max(pauseMs, fault.retryAfterMs ?? 0));
    this.#avoidedUntilMs = this.#options.timer.nowMs() + waitMs;
    this.#change("left", fault);
  }

  #change(state: L1EndpointState, fault: EndpointFault | undefined): void {
    this.#fault = fault;
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onEndpoint(this.name, state, fault?.message);
  }
}
