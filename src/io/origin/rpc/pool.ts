import type { AppError } from "#base/errors/index.ts";
import type { RpcRefusal } from "#io/client/index.ts";
import { unavailable } from "../errors.ts";
import type { OriginObserver } from "../observer.ts";
import { AnswerRoom } from "./answer-room.ts";
import { CallQueue } from "./call-queue.ts";
import { Health } from "./health.ts";
import { LaneRequests, type LaneRequestOptions } from "./lane-requests.ts";
import { OriginLane, originEndpoints } from "./lane.ts";
import { type OriginCall, type OriginReply, type OriginTask, PendingCall } from "./pending.ts";
import type { BatchCall, BatchOutcome, CallReply } from "./send-batch.ts";
import type { OriginSpec } from "./spec.ts";

/** Settings of an {@link OriginPool}. */
export interface OriginPoolOptions extends LaneRequestOptions {
  /** URLs of the same network, at least one. */
  readonly urls: readonly string[];
  /** Sent with every request; their values are masked in messages. */
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum HTTP requests in flight, over all URLs; at least 1. */
  readonly concurrency: number;
  /** Maximum size of a response in bytes. */
  readonly maxAnswerBytes: number;
  /** Maximum calls of one HTTP request; at least 1. */
  readonly maxBatch: number;
  readonly observer: Pick<OriginObserver, "requested" | "received" | "limited" | "stateChanged">;
}

/** Internal errors of one call after which it fails, and the pauses between; milliseconds. */
const MAX_INTERNAL_ERRORS = 3;
const INTERNAL_ERROR = -32_603;
const INTERNAL_PAUSE_MS = 200;

/** Distributes calls over the URLs of an origin, in batches, until their deadlines. */
export class OriginPool {
  readonly #options: OriginPoolOptions;
  readonly #lanes: readonly OriginLane[];
  readonly #requests: LaneRequests;
  readonly #health: Health;
  readonly #room: AnswerRoom;
  readonly #queue: CallQueue;
  #isGathering = false;
  #cancelWake: () => void = () => undefined;

  /** @throws TypeError for an invalid URL */
  constructor(options: OriginPoolOptions) {
    const { urls, headers, maxBatch, concurrency, greetMs, unixMs, observer } = options;
    this.#room = new AnswerRoom(options.maxAnswerBytes, concurrency);
    this.#options = options;
    const endpoints = originEndpoints(urls, headers);
    // A URL that hangs must leave room for the others.
    const perLane = Math.max(1, concurrency - (endpoints.length - 1));
    this.#lanes = endpoints.map((endpoint) => new OriginLane(endpoint, maxBatch, perLane, greetMs));
    this.#queue = new CallQueue(this.#lanes, this.#room);
    this.#requests = new LaneRequests(options);
    this.#health = new Health(unixMs, (state) => observer.stateChanged(state));
  }

  /** Names of the URLs, separated by commas: scheme, host and port. */
  get names(): string {
    return this.#lanes.map(({ endpoint }) => endpoint.name).join(", ");
  }

  /** Number of URLs. */
  get size(): number {
    return this.#lanes.length;
  }

  /** Whether one of the URLs has this name. */
  has(name: string): boolean {
    return this.#lanes.some(({ endpoint }) => endpoint.name === name);
  }

  /** Specification of each URL that was checked. */
  get specs(): readonly OriginSpec[] {
    return this.#lanes.flatMap(({ spec }) => spec ?? []);
  }

  /**
   * Checks every URL now, also those that were checked before.
   *
   * @returns the error of each URL that failed its check
   */
  async checkAll(): Promise<readonly AppError[]> {
    const errors = await Promise.all(this.#lanes.map((lane) => this.#greet(lane)));
    const found = errors.flatMap((error) => error ?? []);
    const [first] = found;
    if (first !== undefined && found.length === errors.length) this.#health.missed(first.message);
    return found;
  }

  /**
   * Calls a method of the origin.
   *
   * @throws {RpcRefusal} when the origin responds with an error
   * @throws {OriginError} ORIGIN_UNAVAILABLE at the deadline, or another code when no URL can be used
   */
  call(call: OriginCall, task: OriginTask): Promise<OriginReply> {
    const { timer, signal } = this.#options;
    const onDeadline = (late: PendingCall): void => this.#expire(late);
    const only = this.#lanes.find(({ endpoint }) => endpoint.name === call.only);
    const others = call.only === undefined ? 0 : this.#lanes.length - 1;
    // If the only URL that may respond does not, there is time left for another call to the others.
    const timeMs = (task.endsAtMs - timer.nowMs()) / (others > 0 ? 2 : 1);
    const own = { ...task, endsAtMs: timer.nowMs() + timeMs };
    const pending = new PendingCall(call, own, { timer, signal, onDeadline }, only);
    this.#queue.add(pending);
    this.#gather();
    return pending.reply;
  }

  /** Sends after the current turn, so that calls of one turn share a batch. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    queueMicrotask(() => {
      this.#isGathering = false;
      this.#pump();
    });
  }

  #expire(pending: PendingCall): void {
    const { lastFailure, task, startedAtMs } = pending;
    const reason = lastFailure?.message ?? "no response";
    this.#health.expired(reason, startedAtMs);
    const message = `${this.names} did not return "${task.what}" in time: ${reason}`;
    pending.settle(unavailable(message, lastFailure));
  }

  #pump(): void {
    this.#cancelWake();
    const { concurrency, timer, signal } = this.#options;
    const nowMs = timer.nowMs();
    this.#queue.dropSettled();
    if (signal.aborted) return;
    this.#queue.failUnserved(nowMs);
    while (this.#requests.inFlight < concurrency) {
      const next = this.#queue.next(nowMs);
      if (next === undefined) break;
      const { lane } = next;
      if (lane.spec === undefined) void this.#greet(lane);
      else void this.#send(lane, lane.spec, this.#queue.take(next));
    }
    if (this.#queue.isEmpty) return;
    const waits = this.#lanes.map(({ readyAtMs }) => readyAtMs - nowMs).filter((ms) => ms > 0);
    if (waits.length === 0) return;
    this.#cancelWake = timer.after(Math.min(...waits) + 1, () => this.#pump());
  }

  async #send(lane: OriginLane, spec: OriginSpec, taken: readonly PendingCall[]): Promise<void> {
    const { timer } = this.#options;
    const sentAtMs = timer.nowMs();
    const calls: BatchCall[] = [];
    const batch = taken.filter((pending) => {
      const params = pending.paramsFor(lane, spec);
      if (params !== undefined) calls.push({ method: pending.call.method, params });
      return params !== undefined;
    });
    if (batch.length === 0) return;
    const timeoutMs = this.#timeoutOf(batch, sentAtMs);
    const maxAnswerBytes = this.#room.take(batch);
    const outcome = await this.#requests.post(lane, calls, { timeoutMs, maxAnswerBytes });
    this.#room.free(batch);
    const nowMs = timer.nowMs();
    if (outcome.kind === "answered") {
      lane.answered(nowMs - sentAtMs);
      this.#health.answered(nowMs);
      const missing = batch.filter((pending, index) => {
        const reply = outcome.replies[index] ?? { kind: "missing" };
        return !this.#deliver(lane, spec, pending, reply);
      });
      const { busy } = outcome;
      if (busy !== undefined) {
        for (const pending of missing) pending.lastFailure = busy;
        lane.batch.failed(batch.length);
        lane.rejected(undefined, sentAtMs, nowMs);
      } else {
        lane.pace.answered();
        if (missing.length > 0) lane.batch.rejected(batch.length);
        else lane.batch.answered(batch.length);
      }
      this.#enqueue(missing);
    } else this.#failed(lane, outcome, batch, sentAtMs);
    this.#pump();
  }

  /** Time for a request: with other URLs to try, only a part of the time until the deadline. */
  #timeoutOf(batch: readonly PendingCall[], nowMs: number): number {
    const times = batch.map((pending) => {
      const untried = Math.max(1, this.#queue.lanesOf(pending).length - pending.tried.size);
      return (pending.task.endsAtMs - nowMs) / untried;
    });
    return Math.max(1, ...times);
  }

  /** @returns `false` when the response lacks the call: some nodes answer only a part of a batch */
  #deliver(lane: OriginLane, spec: OriginSpec, pending: PendingCall, reply: CallReply): boolean {
    const { name } = lane.endpoint;
    if (reply.kind === "result") {
      const { isNumbered } = pending;
      if (isNumbered) lane.refusesHashes = true;
      pending.settle({ value: reply.value, name, spec, isNumbered });
    } else if (reply.kind === "missing") {
      pending.lastFailure = unavailable(`${name} omitted a call of a batch in its response`);
    } else if (pending.numberedAfter(reply.refusal.rpcCode, lane, spec)) this.#enqueue([pending]);
    else this.#deliverRefusal(pending, reply.refusal);
    return reply.kind !== "missing";
  }

  #deliverRefusal(pending: PendingCall, refusal: RpcRefusal): void {
    pending.lastFailure = refusal;
    const isInternal = refusal.rpcCode === INTERNAL_ERROR;
    if (!isInternal || ++pending.internalErrors >= MAX_INTERNAL_ERRORS) pending.settle(refusal);
    else this.#options.timer.after(INTERNAL_PAUSE_MS, () => this.#enqueue([pending]));
  }

  #failed(
    lane: OriginLane,
    outcome: Exclude<BatchOutcome, { readonly kind: "answered" }>,
    batch: readonly PendingCall[],
    sentAtMs: number,
  ): void {
    const nowMs = this.#options.timer.nowMs();
    for (const pending of batch) {
      pending.lastFailure = outcome.cause;
      pending.failed();
    }
    if (outcome.kind === "busy") {
      lane.rejected(outcome.retryAfterMs, sentAtMs, nowMs);
      // A URL that counts calls never accepts a batch above its limit, however long the pause.
      if (lane.pace.rejections > 1 && batch.length > 1) lane.batch.failed(batch.length);
    } else if (outcome.kind === "lost") {
      lane.failed(sentAtMs, nowMs);
      this.#noteLost(outcome.cause);
      if (batch.length > 1) lane.batch.failed(batch.length);
      for (const pending of batch) pending.tried.add(lane);
    } else if (batch.length > 1) {
      if (outcome.kind === "unusable" && outcome.refusesBatch) lane.batch.rejected(batch.length);
      else lane.batch.failed(batch.length);
    } else {
      for (const pending of batch) {
        if (outcome.kind === "tooLong" && this.#room.hasMore(pending)) {
          pending.isHuge = true;
          continue;
        }
        pending.tried.add(lane);
        if (pending.tried.size >= this.#queue.lanesOf(pending).length)
          pending.settle(outcome.cause);
      }
    }
    this.#enqueue(batch);
  }

  #noteLost(cause: AppError): void {
    if (this.#lanes.every(({ failures }) => failures > 1)) this.#health.missed(cause.message);
  }

  #enqueue(calls: readonly PendingCall[]): void {
    this.#queue.putBack(calls);
    this.#gather();
  }

  async #greet(lane: OriginLane): Promise<AppError | undefined> {
    const error = await this.#requests.greet(lane);
    if (error === undefined) this.#health.answered(this.#options.timer.nowMs());
    else {
      for (const pending of this.#queue.calls) pending.lastFailure = error;
      this.#noteLost(error);
    }
    // Calls may have arrived during the check.
    this.#gather();
    return error;
  }
}
