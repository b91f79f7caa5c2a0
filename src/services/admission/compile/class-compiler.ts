import { describeError } from "#base/telemetry/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { CompileServiceLimits } from "./compile-limits.ts";
import type { Grade } from "../submission/sender-grades.ts";
import { CompileCosts } from "./compile-costs.ts";
import {
  type Answer,
  type CompileOutcome,
  type CompileRequest,
  type Job,
  lastOf,
  partyOf,
  type Place,
  take,
  TRIAL_KEY,
} from "./compile-job.ts";
import { CompileQueue, TRIAL } from "./compile-queue.ts";
import { RecentlyCompiled } from "./compiled-classes.ts";
import type { Compiler, CompilerAnswer } from "./compiler-port.ts";
import { Exhausters } from "./exhausters.ts";
import { type Refusal, Refusals } from "./refusals.ts";
import { isFinal, refusalOf } from "./verdict.ts";

/** Dependencies of {@link ClassCompiler}. */
export interface ClassCompilerDeps {
  /** One compiler for each concurrent compilation. */
  readonly compilers: readonly Compiler[];
  readonly limits: CompileServiceLimits;
  readonly timer: Timer;
}

/** Attempts for a class whose compiler dies midway: the class need not be the cause. */
const MAX_ATTEMPTS = 2;

/** How long a class is refused after exceeding time or memory; a later attempt might succeed. */
const KILL_MEMORY_MS = 600_000;

/** Reason of `busy` when the queue is full or the request is abandoned. */
const QUEUED = "the node is busy: classes wait to be compiled";

const MAX_RETRY_SECONDS = 60;

/**
 * Compiles classes that are declared or estimated; runs one compilation per class hash, however many request
 * it.
 *
 * Each sender or address has its own place in the queue for a class that others wait for, so that one party's
 * load does not slow another. The queue is also bounded in time. Trials never take the last compiler. Neither
 * do declarations of senders whose recent classes exceeded time or memory limits, or paid no fee. Never
 * rejects and never blocks: compilers run elsewhere.
 */
export class ClassCompiler {
  readonly #limits: CompileServiceLimits;
  readonly #compilers: readonly Compiler[];
  readonly #free: Compiler[];
  readonly #recent = new RecentlyCompiled();
  readonly #timer: Timer;
  readonly #refusals: Refusals;
  readonly #exhausters: Exhausters;
  readonly #queue: CompileQueue<Place>;
  readonly #jobs = new Map<Felt, Job>();
  readonly #costs = new CompileCosts();
  /** Total size of the classes being compiled. */
  #runningBytes = 0;
  #requests = 0;
  #requestBytes = 0;
  #trials = 0;
  #stopped = false;

  constructor({ compilers, limits, timer }: ClassCompilerDeps) {
    this.#compilers = compilers;
    // `pop` takes from the end, so the first compiler, which may be warm, is used first.
    this.#free = compilers.toReversed();
    this.#limits = limits;
    this.#timer = timer;
    this.#refusals = new Refusals(() => this.#timer.nowMs());
    this.#exhausters = new Exhausters(() => this.#timer.nowMs(), KILL_MEMORY_MS);
    this.#queue = new CompileQueue(this.#limits, {
      waitMs: (sizeBytes, count) => this.#costs.msOf(sizeBytes, count) / compilers.length,
      onDropped: (place) => this.#dropped(place),
    });
  }

  /** Moves the classes queued for an address to the end: its compilations go unpaid. */
  demote(client: string): void {
    this.#queue.demote(client);
  }

  /** Compiles a class, or returns a known result. */
  compile(request: CompileRequest): Promise<CompileOutcome> {
    const { classHash, classBytes, isTrial = false, signal } = request;
    const ofTrials = isTrial ? this.#refusals.get(classHash + TRIAL_KEY) : undefined;
    const refusal = this.#refusals.get(classHash) ?? ofTrials;
    if (refusal !== undefined) return Promise.resolve(refusal);
    const compiled = this.#recent.get(classHash);
    if (compiled !== undefined) return Promise.resolve({ kind: "compiled", ...compiled });
    const { byteLength } = classBytes;
    if (this.#stopped || signal?.aborted === true || !this.#hasRoom(byteLength)) {
      return Promise.resolve(this.#busy());
    }
    return new Promise((resolve) => {
      this.#requests++;
      this.#requestBytes += byteLength;
      const leave = () => this.#leave(classHash, answer);
      const answer = (outcome: CompileOutcome) => {
        signal?.removeEventListener("abort", leave);
        this.#requests--;
        this.#requestBytes -= byteLength;
        resolve(outcome);
      };
      signal?.addEventListener("abort", leave);
      this.#enter(request, answer);
    });
  }

  /** Answers all pending requests with `busy`, and stops the compilations. */
  stop(): void {
    this.#stopped = true;
    for (const job of this.#jobs.values()) this.#settle(job, this.#busy());
    for (const compiler of this.#compilers) compiler.kill();
  }

  /** Every pending request keeps its class in memory, even if others wait for the same class. */
  #hasRoom(byteLength: number): boolean {
    const { maxRequests, maxRequestBytes } = this.#limits;
    return this.#requests < maxRequests && this.#requestBytes + byteLength <= maxRequestBytes;
  }

  #enter(request: CompileRequest, answer: Answer): void {
    const { classHash, classBytes } = request;
    const known = this.#jobs.get(classHash);
    const party = partyOf(request);
    const isLast =
      request.isTrial === true || request.grade === TRIAL || this.#exhausters.has(party);
    const grade = isLast ? TRIAL : (request.grade ?? "plain");
    const key = isLast ? lastOf(party) : party;
    const place = known?.places.get(key);
    if (known?.isWaiting === false) known.answers.push(answer);
    else if (place !== undefined) place.answers.push(answer);
    else {
      const fresh = { classHash, classBytes, places: new Map(), answers: [], isWaiting: true };
      const job: Job = known ?? fresh;
      const item: Place = { job, key, grade, answers: [answer] };
      if (!this.#queue.push({ sender: key, sizeBytes: classBytes.byteLength, grade, item })) {
        answer(this.#busy());
        return;
      }
      job.places.set(key, item);
      this.#jobs.set(classHash, job);
      this.#handOut();
    }
  }

  /**
   * Removes an abandoned request. A queued class without requests is not compiled. A running compilation
   * finishes, so that its result is known for the next request.
   */
  #leave(classHash: Felt, answer: Answer): void {
    const job = this.#jobs.get(classHash);
    if (job === undefined) return;
    if (take(job.answers, answer)) answer(this.#busy());
    if (!job.isWaiting) return;
    for (const place of [...job.places.values()]) {
      if (!take(place.answers, answer)) continue;
      if (place.answers.length === 0) {
        this.#queue.remove(place.key, place);
        this.#dropped(place);
      }
      answer(this.#busy());
    }
  }

  /** Handles a queue place displaced by another sender. The class stays queued for other parties, if any. */
  #dropped({ job, key, answers }: Place): void {
    if (!job.isWaiting) return;
    job.places.delete(key);
    if (job.places.size === 0) this.#jobs.delete(job.classHash);
    for (const answer of answers) answer(this.#busy());
  }

  #handOut(): void {
    while (!this.#stopped && this.#free.length > 0) {
      const mayTry = this.#trials < Math.max(1, this.#compilers.length - 1);
      const next = this.#queue.shift(mayTry);
      if (next === undefined) return;
      // The class was already compiled for another sender.
      if (!next.item.job.isWaiting) continue;
      const compiler = this.#free.pop();
      if (compiler !== undefined) void this.#run(next.item, next.grade, compiler);
    }
  }

  /** @param grade - current grade of the sender; it may have dropped while the class was queued */
  async #run({ job, key }: Place, grade: Grade, compiler: Compiler): Promise<void> {
    const isTrial = grade === TRIAL;
    job.isWaiting = false;
    for (const { answers } of job.places.values()) job.answers.push(...answers);
    if (isTrial) this.#trials++;
    const startedMs = this.#timer.nowMs();
    const sizeBytes = job.classBytes.byteLength;
    const estimateMs = this.#costs.msOf(sizeBytes, 1);
    this.#runningBytes += sizeBytes;
    this.#queue.charge(key, grade, estimateMs);
    for (let attempt = 1; this.#jobs.get(job.classHash) === job; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS;
      this.#judge(job, await this.#attempt(job, compiler), isLast);
    }
    const tookMs = this.#timer.nowMs() - startedMs;
    this.#queue.charge(key, grade, tookMs - estimateMs);
    // Trials are unpaid: their durations must not influence the queue's time estimates.
    if (!isTrial) this.#costs.add(sizeBytes, tookMs);
    this.#runningBytes -= sizeBytes;
    if (isTrial) this.#trials--;
    this.#free.push(compiler);
    this.#handOut();
  }

  /** Runs one attempt. Requests are answered at the deadline; the compiler is free once it has ended. */
  async #attempt(job: Job, compiler: Compiler): Promise<CompilerAnswer> {
    const { deadlineMs } = this.#limits;
    const cancel = this.#timer.after(deadlineMs, () => {
      const reason = `compiling took longer than ${deadlineMs / 1000} s`;
      this.#refuse(job, { kind: "refused", code: "COMPILATION_FAILED", reason }, false);
      compiler.kill();
    });
    try {
      return await compiler.compile(job);
    } catch (error) {
      return { kind: "ended", reason: describeError(error) };
    } finally {
      cancel();
    }
  }

  #judge(job: Job, answer: CompilerAnswer, isLast: boolean): void {
    // Already answered, at the deadline or at shutdown.
    if (this.#jobs.get(job.classHash) !== job) return;
    if (answer.kind === "compiled") {
      this.#recent.put(job.classHash, answer.compiled);
      this.#settle(job, { kind: "compiled", ...answer.compiled });
    } else if (answer.kind === "unavailable") {
      if (isLast)
        this.#settle(job, this.#busy(`the node cannot compile classes now: ${answer.reason}`));
    } else if (answer.kind !== "ended" || isLast) {
      this.#refuse(job, refusalOf(answer), isFinal(answer));
    }
  }

  #refuse(job: Job, refusal: Refusal, forEver: boolean): void {
    if (this.#jobs.get(job.classHash) !== job) return;
    const places = [...job.places.values()];
    if (forEver) this.#refusals.add(job.classHash, refusal, Infinity);
    else {
      // A trial's timeout, on a machine that trials may overload, does not count against declarations.
      const isTrial = places.every(({ grade }) => grade === TRIAL);
      this.#refusals.add(job.classHash + (isTrial ? TRIAL_KEY : 0n), refusal, KILL_MEMORY_MS);
      for (const { key } of places) this.#exhausters.add(key);
    }
    this.#settle(job, refusal);
  }

  #settle(job: Job, outcome: CompileOutcome): void {
    this.#jobs.delete(job.classHash);
    const waiting = job.isWaiting
      ? [...job.places.values()].flatMap(({ answers }) => answers)
      : job.answers;
    job.isWaiting = false;
    for (const answer of waiting) answer(outcome);
  }

  #busy(reason = QUEUED): CompileOutcome {
    const running = this.#compilers.length - this.#free.length;
    const runningMs = this.#costs.msOf(this.#runningBytes, running) / this.#compilers.length;
    const seconds = Math.ceil((this.#queue.waitMs + runningMs) / 1000);
    return {
      kind: "busy",
      reason,
      retryAfterSeconds: Math.max(1, Math.min(MAX_RETRY_SECONDS, seconds)),
    };
  }
}
