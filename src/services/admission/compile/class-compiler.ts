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

/** What the service works with. */
export interface ClassCompilerDeps {
  /** As many compilers as classes may be compiled at a time. */
  readonly compilers: readonly Compiler[];
  readonly limits: CompileServiceLimits;
  readonly timer: Timer;
}

/** Times that a class is tried whose compiler ends in the middle: that may be another's doing. */
const MAX_ATTEMPTS = 2;

/** How long a class is refused that took too long or too much, which the next try might not. */
const KILL_MEMORY_MS = 600_000;

/** Reason of `busy` when the queue is full or the request is abandoned. */
const QUEUED = "the node is busy: classes wait to be compiled";

const MAX_RETRY_SECONDS = 60;

/**
 * Compiles classes for whoever admits declares or estimates them. One compilation per class hash
 * whoever asks; each sender or address keeps its own place in the queue for a class that others wait for, so
 * that nobody is slowed by the load of another. The queue is bounded in time, too. Trials never take the last compiler, nor do declarations of
 * a sender whose classes have lately taken all the time or memory that there is, or no fee. Never rejects and never
 * blocks: compilers work elsewhere.
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
  /** Of the classes that are being compiled. */
  #runningBytes = 0;
  #requests = 0;
  #requestBytes = 0;
  #trials = 0;
  #stopped = false;

  constructor({ compilers, limits, timer }: ClassCompilerDeps) {
    this.#compilers = compilers;
    // Taken from the end: the first, which may be warm, comes first.
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

  /** Nobody pays for compilations of an address: the classes that wait in its name go last. */
  demote(client: string): void {
    this.#queue.demote(client);
  }

  /** Compiles a class, or gives what is known of it. */
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

  /** Answers all who wait, and ends the compilations. */
  stop(): void {
    this.#stopped = true;
    for (const job of this.#jobs.values()) this.#settle(job, this.#busy());
    for (const compiler of this.#compilers) compiler.kill();
  }

  /** Whoever waits holds on to the class, also to one that others wait for. */
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
      const begun = { classHash, classBytes, places: new Map(), answers: [], isWaiting: true };
      const job: Job = known ?? begun;
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
   * Somebody waits no more. A class that nobody waits for is not compiled; one that is being compiled
   * is finished: what becomes of it is known then when it is asked for again.
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

  /** A place gave way to another sender's. The class still waits in the name of others, if any. */
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
      // Its class was compiled in the name of another sender.
      if (!next.item.job.isWaiting) continue;
      const compiler = this.#free.pop();
      if (compiler !== undefined) void this.#run(next.item, next.grade, compiler);
    }
  }

  /** @param grade - of its sender now: it may have sunk since the class waits */
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
    // Nobody pays for trials: how long they take must not decide for whom there is time.
    if (!isTrial) this.#costs.add(sizeBytes, tookMs);
    this.#runningBytes -= sizeBytes;
    if (isTrial) this.#trials--;
    this.#free.push(compiler);
    this.#handOut();
  }

  /** Compiles once; who waits is answered at the deadline, the compiler is free once it has ended. */
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
    // Answered at the deadline, or when the node began to stop.
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
      // What trials exhaust, on a machine that they may keep busy, is not held against declarations.
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
