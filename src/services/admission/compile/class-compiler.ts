import { encodeContractClass, type SierraClass } from "#protocol/chain/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import { type Felt, SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { classTooLarge } from "./class-size.ts";
import { COMPILE_LIMITS, type CompileServiceLimits } from "./compile-limits.ts";
import { CompileQueue } from "./compile-queue.ts";
import { type CompiledClassStore, RecentlyCompiled } from "./compiled-classes.ts";
import type { CompiledClass, Compiler, CompilerAnswer } from "./compiler-port.ts";
import { type Refusal, Refusals } from "./refusals.ts";
import { isFinal, refusalOf } from "./verdict.ts";

/** What became of a request to compile a class. */
export type CompileOutcome =
  | ({ readonly kind: "compiled" } & CompiledClass)
  | Refusal
  | { readonly kind: "busy"; readonly retryAfterSeconds: number };

/** A class to compile in the name of a sender, whose signature, nonce and balance are in order. */
export interface CompileRequest {
  readonly sender: Felt;
  /** The class hash of `contractClass`: results are shared and kept by it. */
  readonly classHash: Felt;
  readonly contractClass: SierraClass;
}

/** What the service works with. */
export interface ClassCompilerParts {
  /** As many compilers as classes may be compiled at a time. */
  readonly compilers: readonly Compiler[];
  readonly limits?: CompileServiceLimits;
  readonly store?: CompiledClassStore;
  readonly timer?: Timer;
}

/** Times that a class is tried whose compiler ends in the middle: that may be another's doing. */
const MAX_ATTEMPTS = 2;

/** How long a class is refused that took too long or too much, which the next try might not. */
const KILL_MEMORY_MS = 600_000;

const MAX_RETRY_SECONDS = 60;
const COST_WEIGHT = 1 / 8;

type Answer = (outcome: CompileOutcome) => void;

/** A class that waits or is compiled, for everybody who asked for it. */
interface Job {
  readonly classHash: Felt;
  readonly bytes: Uint8Array;
  /** While it waits: a place in the queue, and those who wait, per sender. */
  readonly places: Map<Felt, Place>;
  /** Once it runs: all who wait. */
  readonly answers: Answer[];
  isWaiting: boolean;
}

interface Place {
  readonly job: Job;
  readonly sender: Felt;
  readonly answers: Answer[];
}

/**
 * Compiles classes for whoever admits declares. One compilation per class hash whoever asks; each
 * sender keeps its own place in the queue for a class that others wait for, so that nobody is slowed
 * by the load of another. Never rejects and never blocks: compilers work elsewhere.
 */
export class ClassCompiler {
  readonly #limits: CompileServiceLimits;
  readonly #compilers: readonly Compiler[];
  readonly #free: Compiler[];
  readonly #store: CompiledClassStore;
  readonly #timer: Timer;
  readonly #refusals: Refusals;
  readonly #queue: CompileQueue<Place>;
  readonly #jobs = new Map<Felt, Job>();
  #requests = 0;
  #averageMs = 1000;
  #stopped = false;

  constructor({ compilers, limits, store, timer }: ClassCompilerParts) {
    this.#compilers = compilers;
    this.#free = [...compilers];
    this.#limits = limits ?? COMPILE_LIMITS;
    this.#store = store ?? new RecentlyCompiled();
    this.#timer = timer ?? SYSTEM_TIMER;
    this.#refusals = new Refusals(() => this.#timer.nowMs());
    this.#queue = new CompileQueue(this.#limits, (place) => this.#dropped(place));
  }

  /** Compiles a class, or gives what is known of it. */
  compile(request: CompileRequest): Promise<CompileOutcome> {
    const { classHash, contractClass } = request;
    const refusal = this.#refusals.get(classHash);
    if (refusal !== undefined) return Promise.resolve(refusal);
    const compiled = this.#store.get(classHash);
    if (compiled !== undefined) return Promise.resolve({ kind: "compiled", ...compiled });
    const tooLarge = classTooLarge(contractClass, this.#limits);
    if (tooLarge !== undefined) {
      this.#refusals.add(classHash, tooLarge, Infinity);
      return Promise.resolve(tooLarge);
    }
    if (this.#stopped || this.#requests >= this.#limits.maxRequests) {
      return Promise.resolve(this.#busy());
    }
    return new Promise((resolve) => {
      this.#requests++;
      this.#enter(request, (outcome) => {
        this.#requests--;
        resolve(outcome);
      });
    });
  }

  /** Answers all who wait, and ends the compilations. */
  stop(): void {
    this.#stopped = true;
    for (const job of this.#jobs.values()) this.#settle(job, this.#busy());
    for (const compiler of this.#compilers) compiler.kill();
  }

  #enter({ sender, classHash, contractClass }: CompileRequest, answer: Answer): void {
    const known = this.#jobs.get(classHash);
    const place = known?.places.get(sender);
    if (known?.isWaiting === false) known.answers.push(answer);
    else if (place !== undefined) place.answers.push(answer);
    else {
      const job = known ?? newJob(classHash, encodeContractClass(contractClass));
      const item: Place = { job, sender, answers: [answer] };
      if (!this.#queue.push({ sender, sizeBytes: job.bytes.byteLength, item })) {
        answer(this.#busy());
        return;
      }
      job.places.set(sender, item);
      this.#jobs.set(classHash, job);
      this.#handOut();
    }
  }

  /** A place gave way to another sender's. The class still waits in the name of others, if any. */
  #dropped({ job, sender, answers }: Place): void {
    if (!job.isWaiting) return;
    job.places.delete(sender);
    if (job.places.size === 0) this.#jobs.delete(job.classHash);
    for (const answer of answers) answer(this.#busy());
  }

  #handOut(): void {
    while (!this.#stopped && this.#free.length > 0) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const { job } = next.item;
      // Its class was compiled in the name of another sender.
      if (!job.isWaiting) continue;
      const compiler = this.#free.pop();
      if (compiler !== undefined) void this.#run(job, next.sender, compiler);
    }
  }

  async #run(job: Job, sender: Felt, compiler: Compiler): Promise<void> {
    job.isWaiting = false;
    for (const { answers } of job.places.values()) job.answers.push(...answers);
    const startedMs = this.#timer.nowMs();
    const estimateMs = this.#averageMs;
    this.#queue.charge(sender, estimateMs);
    for (let attempt = 1; this.#jobs.get(job.classHash) === job; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS;
      this.#judge(job, await this.#attempt(job, compiler), isLast);
    }
    const tookMs = this.#timer.nowMs() - startedMs;
    this.#queue.charge(sender, tookMs - estimateMs);
    this.#averageMs += (tookMs - this.#averageMs) * COST_WEIGHT;
    this.#free.push(compiler);
    this.#handOut();
  }

  /** Compiles once; who waits is answered at the deadline, the compiler is free once it has ended. */
  async #attempt({ bytes, ...job }: Job, compiler: Compiler): Promise<CompilerAnswer> {
    const { deadlineMs } = this.#limits;
    const cancel = this.#timer.after(deadlineMs, () => {
      const reason = `compiling took longer than ${deadlineMs / 1000} s`;
      this.#refuse(job.classHash, { kind: "refused", code: "COMPILATION_FAILED", reason }, false);
      compiler.kill();
    });
    try {
      return await compiler.compile(bytes);
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
      this.#store.put(job.classHash, answer.compiled);
      this.#settle(job, { kind: "compiled", ...answer.compiled });
    } else if (answer.kind === "unavailable") this.#settle(job, this.#busy());
    else if (answer.kind !== "ended" || isLast) {
      this.#refuse(job.classHash, refusalOf(answer), isFinal(answer));
    }
  }

  #refuse(classHash: Felt, refusal: Refusal, forEver: boolean): void {
    this.#refusals.add(classHash, refusal, forEver ? Infinity : KILL_MEMORY_MS);
    const job = this.#jobs.get(classHash);
    if (job !== undefined) this.#settle(job, refusal);
  }

  #settle(job: Job, outcome: CompileOutcome): void {
    this.#jobs.delete(job.classHash);
    const waiting = job.isWaiting
      ? [...job.places.values()].flatMap(({ answers }) => answers)
      : job.answers;
    job.isWaiting = false;
    for (const answer of waiting) answer(outcome);
  }

  #busy(): CompileOutcome {
    const ahead = this.#queue.count + this.#compilers.length - this.#free.length;
    const seconds = Math.ceil((ahead * this.#averageMs) / this.#compilers.length / 1000);
    return {
      kind: "busy",
      retryAfterSeconds: Math.max(1, Math.min(MAX_RETRY_SECONDS, seconds)),
    };
  }
}

function newJob(classHash: Felt, bytes: Uint8Array): Job {
  return { classHash, bytes, places: new Map(), answers: [], isWaiting: true };
}
