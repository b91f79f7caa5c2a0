import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Endpoint, endpointsOf, pause } from "#io/http/index.ts";
import {
  attempt,
  type AttemptDeps,
  type AttemptOutcome,
  endpointFor,
  type GatewayRequest,
} from "./attempt.ts";
import {
  type BoundedRequest,
  type BoundedReply,
  type Reply,
  type Unanswered,
  weightier,
} from "./reply.ts";
import { choose, comparePreference, Gateway, pauseAfter } from "./gateway.ts";
import { HeldBytes } from "./held-bytes.ts";
import type { GatewayClientOptions } from "./options.ts";

/** Sends requests to the most preferred of several gateways that works. */
export class GatewayRouter {
  readonly #gateways: readonly Gateway[];
  readonly #deps: AttemptDeps;
  readonly #timer: Timer;
  readonly #signal: AbortSignal;
  #last: Gateway | undefined;
  /** Gateways that responses and errors came from, while these are referenced. */
  readonly #origins = new WeakMap<object, Gateway>();

  constructor(options: GatewayClientOptions) {
    const { limits, timer, signal } = options;
    this.#gateways = halvesOf(options).map((halves) => new Gateway(halves, limits, timer));
    this.#deps = { ...options, held: new HeldBytes(limits.maxHeldBytes) };
    this.#timer = timer;
    this.#signal = signal;
  }

  /**
   * Retries a request until a gateway responds.
   *
   * @param isLong - whether it requests a block or a class; these are limited per gateway
   * @throws {NodeError} NODE_BAD_ANSWER for an invalid response, NODE_STOPPED once the client is stopped
   */
  async send(request: GatewayRequest, isLong: boolean): Promise<Reply> {
    const failed = new Set<Gateway>();
    for (let rounds = 0; ;) {
      const choice = choose(this.#gateways, failed);
      if (this.#signal.aborted) throw stopped();
      if (choice.kind === "gateway") {
        const { gateway } = choice;
        const reply = await this.#requestFrom(gateway, request, isLong);
        if (reply !== undefined) return reply;
        failed.add(gateway);
      } else if (choice.kind === "throttled") {
        failed.clear();
        await pause(this.#timer, this.#signal, choice.forMs);
      } else {
        failed.clear();
        await pause(this.#timer, this.#signal, pauseAfter(++rounds));
      }
    }
  }

  /** Tries each gateway once until one responds; a rejected transaction counts as a response. */
  async requestWithin<T>(request: BoundedRequest<T>): Promise<BoundedReply<T>> {
    const until = new AbortController();
    const end = (): void => until.abort();
    const cancel = this.#timer.after(request.forMs, end);
    this.#signal.addEventListener("abort", end);
    if (this.#signal.aborted) end();
    try {
      return await this.#requestEach(request, until.signal);
    } finally {
      cancel();
      this.#signal.removeEventListener("abort", end);
    }
  }

  /**
   * Lowers a gateway's preference for a while.
   *
   * @param about - bytes or error from the gateway; any other value selects the one that responded last
   */
  distrust(about: unknown): void {
    const isKnown = typeof about === "object" && about !== null;
    const gateway = isKnown ? this.#origins.get(about) : undefined;
    (gateway ?? this.#last)?.distrust();
    // The distrusted gateway may have reported the head by which others seem to lag.
    for (const each of this.#gateways) each.lags(false);
  }

  /**
   * Requests the newest block number from all gateways. Those that lag lose preference for a while; they
   * still serve what others do not have.
   */
  async compareHeads(request: BoundedRequest<number>): Promise<void> {
    const numberOf = async (gateway: Gateway): Promise<number | undefined> => {
      const outcome = await this.#attempt(gateway, request, this.#signal);
      const read = readOutcome(outcome, gateway, request);
      return read.kind === "answered" ? read.value : undefined;
    };
    const numbers = await Promise.all(this.#gateways.map(numberOf));
    const highest = Math.max(...numbers.map((number) => number ?? -1));
    const lagging = this.#gateways.filter((_, i) => (numbers[i] ?? highest) < highest);
    // A block may have arrived between the requests.
    const recheck = await Promise.all(lagging.map(numberOf));
    lagging.forEach((gateway, i) => gateway.lags((recheck[i] ?? highest) < highest));
  }

  /** Attributes an error to the gateway that sent a response. */
  blame(error: NodeError, bytes: Uint8Array): NodeError {
    const gateway = this.#origins.get(bytes);
    if (gateway !== undefined) this.#origins.set(error, gateway);
    return error;
  }

  async #requestFrom(
    gateway: Gateway,
    request: GatewayRequest,
    isLong: boolean,
  ): Promise<Reply | undefined> {
    const { window } = gateway;
    if (isLong && !(await window.enter(this.#signal))) throw stopped();
    try {
      // The gateway may have throttled requests during the wait for a slot.
      if (gateway.throttledMs > 0) return undefined;
      return replyOf(await this.#attempt(gateway, request, this.#signal), gateway.feeder);
    } finally {
      if (isLong) window.leave();
    }
  }

  async #requestEach<T>(request: BoundedRequest<T>, signal: AbortSignal): Promise<BoundedReply<T>> {
    const ranked = [...this.#gateways].sort(comparePreference);
    // A gateway may hold a transaction until a sequencer leads, and stays silent meanwhile. If no other
    // gateway is left, it is given the remaining time.
    const patient = { ...request, silenceMs: request.forMs };
    const turns = ranked.map((gateway) => ({ gateway, request }));
    let best: Unanswered | undefined;
    let wasSentBefore = false;
    for (const { gateway, request: current } of turns) {
      const { throttledMs } = gateway;
      if (throttledMs > 0 && request.body === undefined) {
        best = weightier(best, throttledFor(throttledMs, gateway));
        continue;
      }
      const outcome = readOutcome(await this.#attempt(gateway, current, signal), gateway, request);
      switch (outcome.kind) {
        case "answered":
          return outcome;
        case "refused": {
          const refused = { ...outcome, wasSentBefore };
          if (request.body !== undefined) return refused;
          best = weightier(best, refused);
          break;
        }
        case "throttled":
          best = weightier(best, outcome);
          break;
        case "stopped":
          return this.#outOfTime(request);
        case "bad":
        case "failed": {
          const { error } = outcome;
          if (outcome.kind === "bad") gateway.distrust();
          else if (outcome.why === "silent" && mayHold(request))
            turns.push({ gateway, request: patient });
          wasSentBefore ||= outcome.kind === "bad" || outcome.why !== "unsent";
          best = weightier(best, { kind: "unanswered", error, wasSent: wasSentBefore });
          break;
        }
      }
      if (wasSentBefore && !request.isRepeatable) break;
    }
    return best ?? this.#outOfTime(request);
  }

  #outOfTime({ route }: GatewayRequest): Unanswered {
    if (this.#signal.aborted) return { kind: "unanswered", error: stopped(), wasSent: true };
    const error = new NodeError("NODE_UNREACHABLE", `no gateway answered ${route} in time`);
    return { kind: "unanswered", error, wasSent: true };
  }

  async #attempt(
    gateway: Gateway,
    request: GatewayRequest,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const beganMs = this.#timer.nowMs();
    gateway.chosen();
    const outcome = await attempt(this.#deps, gateway, request, signal);
    switch (outcome.kind) {
      case "answered":
        this.#origins.set(outcome.bytes, gateway);
        gateway.answered();
        this.#last = gateway;
        break;
      case "refused":
        gateway.answered();
        this.#last = gateway;
        break;
      case "bad":
        this.#origins.set(outcome.error, gateway);
        gateway.window.overloaded(beganMs, this.#timer.nowMs());
        this.#last = gateway;
        break;
      case "throttled":
        // A submitter receives the retry delay itself; other submissions stay unaffected.
        if (request.body === undefined) gateway.throttled(beganMs, outcome.retryAfterMs);
        break;
      case "failed":
        if (outcome.why === "crowded") {
          gateway.window.overloaded(beganMs, this.#timer.nowMs());
        } else gateway.failed(beganMs, outcome.why === "silent" || outcome.why === "slow");
        // Other requests succeed, so the gateway would become the first choice for each block again.
        if (outcome.why === "slow") gateway.distrust();
        break;
      case "stopped":
        break;
    }
    return outcome;
  }
}

/** Whether a gateway may hold the request, without a response, until a sequencer leads. */
function mayHold({ body, isRepeatable, silenceMs, forMs }: BoundedRequest<unknown>): boolean {
  return body !== undefined && isRepeatable && silenceMs < forMs;
}

/** @returns the reply; `undefined` to retry the request */
function replyOf(outcome: AttemptOutcome, from: Endpoint): Reply | undefined {
  switch (outcome.kind) {
    case "answered":
      return { ...outcome, from };
    case "refused":
      return outcome;
    case "bad":
      throw outcome.error;
    case "stopped":
      throw stopped();
    case "throttled":
    case "failed":
      return undefined;
  }
}

function readOutcome<T>(
  outcome: AttemptOutcome,
  gateway: Gateway,
  request: BoundedRequest<T>,
):
  | Exclude<AttemptOutcome, { readonly kind: "answered" }>
  | Extract<BoundedReply<T>, { readonly kind: "answered" }> {
  if (outcome.kind !== "answered") return outcome;
  try {
    const from = endpointFor(gateway, request);
    return { kind: "answered", value: request.read(outcome.bytes, from) };
  } catch (error) {
    if (error instanceof NodeError) return { kind: "bad", error };
    throw error;
  }
}

function throttledFor(retryAfterMs: number, { feeder }: Gateway): Unanswered {
  const message = `${feeder.name} is throttling requests`;
  const error = new NodeError("NODE_UNREACHABLE", message);
  return { kind: "throttled", retryAfterMs, fault: undefined, error };
}

function halvesOf({
  gateways,
  throttlingKey,
}: GatewayClientOptions): readonly { readonly feeder: Endpoint; readonly gateway: Endpoint }[] {
  const secrets = throttlingKey === undefined ? [] : [throttlingKey];
  const feeders = endpointsOf(
    gateways.map(({ feeder }) => feeder),
    secrets,
  );
  const others = endpointsOf(
    gateways.map(({ gateway }) => gateway),
    secrets,
  );
  return feeders.flatMap((feeder, i) => {
    const gateway = others[i];
    return gateway === undefined ? [] : [{ feeder, gateway }];
  });
}

function stopped(): NodeError {
  return new NodeError("NODE_STOPPED", "it was stopped");
}
