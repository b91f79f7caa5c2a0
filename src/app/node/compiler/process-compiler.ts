import { DecodeError, NodeError } from "#base/errors/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Compiler, CompilerAnswer, CompilerWork } from "#services/admission/index.ts";
import type { RequestProcess, CompilerProcess } from "./compiler-process.ts";
import { type ArchivePlace, decodeAnswer, encodeCommand } from "./compiler-messages.ts";
import { type ProcessLimits, type ProcessUse, watchProcess } from "#io/processes/index.ts";

/** Time until an idle process is stopped. */
const IDLE_MS = 30_000;

/** Dependencies of {@link ProcessCompiler}. */
export interface ProcessCompilerDeps {
  /** Limits of memory and processor time for one class; a process that exceeds one is killed. */
  readonly limits: ProcessLimits;
  /** Maximum bytecode length of a class, in felts. */
  readonly maxBytecodeSize: number;
  /** Location of the store of compiled classes; `null` to store none. */
  readonly archive: ArchivePlace | null;
  /** Starts a process; `signal` kills it while it starts. */
  readonly start: (signal: AbortSignal) => Promise<RequestProcess>;
  /** Returns the memory and processor time of a process; `undefined` if they cannot be read. */
  readonly use: (pid: number) => Promise<ProcessUse | undefined>;
  readonly timer: Timer;
}

/** A running or starting process. */
interface Current {
  readonly process: Promise<RequestProcess>;
  readonly abort: AbortController;
}

/**
 * Compiler in a child process. The process starts with the first class, serves further ones, stops after some
 * idle time, and is replaced after it was killed or has grown.
 */
export class ProcessCompiler implements Compiler {
  readonly #deps: ProcessCompilerDeps;
  #current: Current | undefined;
  #isStopped = false;
  #isBusy = false;
  #cancelIdle = (): void => undefined;

  constructor(deps: ProcessCompilerDeps) {
    this.#deps = deps;
  }

  /**
   * Starts the process, so that the first class does not wait for it.
   *
   * @param signal - aborts the start
   * @throws {NodeError} NODE_COMPILER_FAILED when it does not start
   */
  async warm(signal: AbortSignal): Promise<CompilerProcess> {
    const onAbort = (): void => this.kill();
    signal.addEventListener("abort", onAbort);
    try {
      const { pid } = await this.#startedOrNew().process;
      this.#awaitIdle();
      return { pid, stop: () => this.stop() };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async compile(work: CompilerWork): Promise<CompilerAnswer> {
    this.#isBusy = true;
    this.#cancelIdle();
    try {
      return await this.#compile(work);
    } catch (error) {
      return { kind: "unavailable", reason: describeError(error) };
    } finally {
      this.#isBusy = false;
      this.#awaitIdle();
    }
  }

  kill(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.abort.abort();
  }

  /** Kills the process immediately, and starts no other. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelIdle();
    const current = this.#current;
    this.kill();
    const ended = current?.process.then((child) => child.ended);
    // A failed start has already been reported to its caller.
    await Promise.allSettled([ended]);
  }

  async #compile(work: CompilerWork): Promise<CompilerAnswer> {
    const current = this.#startedOrNew();
    const child = await current.process;
    const answer = await this.#ask(current, child, work);
    if (answer.kind === "compiled" || answer.kind === "failed") await this.#replaceGrown(child);
    return answer;
  }

  async #ask(current: Current, child: RequestProcess, work: CompilerWork): Promise<CompilerAnswer> {
    const { maxBytecodeSize, archive, limits, timer } = this.#deps;
    let exceeded: "memory" | "time" | undefined;
    const endWatch = watchProcess({
      use: () => this.#deps.use(child.pid),
      limits,
      timer,
      onExceeded: (what) => {
        exceeded = what;
        child.kill();
      },
    });
    const answer = await child.request(encodeCommand({ ...work, archive, maxBytecodeSize }));
    endWatch();
    if (answer !== undefined) return this.#decoded(current, answer);
    // The next class gets a new process, even before this one is known to have ended.
    this.#drop(current);
    if (exceeded === "memory") return { kind: "outOfMemory", limitBytes: limits.residentBytes };
    if (exceeded === "time") return { kind: "outOfTime", limitMs: limits.cpuMs };
    return { kind: "ended", reason: await child.ended };
  }

  #decoded(current: Current, answer: Uint8Array): CompilerAnswer {
    try {
      return decodeAnswer(answer);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#drop(current);
      return { kind: "ended", reason: "its process sent an unreadable answer" };
    }
  }

  /**
   * Stops the process if it has grown, so that the memory of one class does not count for the next one. The
   * next class starts a new process.
   */
  async #replaceGrown({ pid }: RequestProcess): Promise<void> {
    const { limits, use } = this.#deps;
    const bytes = (await use(pid))?.residentBytes;
    if (bytes === undefined || bytes > limits.residentBytes / 2) await this.#end();
  }

  async #end(): Promise<void> {
    this.#cancelIdle();
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    const child = await current.process;
    await child.stop();
  }

  #awaitIdle(): void {
    this.#cancelIdle();
    if (this.#isBusy || this.#isStopped) return;
    this.#cancelIdle = this.#deps.timer.after(IDLE_MS, () => void this.#end());
  }

  #startedOrNew(): Current {
    if (this.#isStopped) throw new NodeError("NODE_COMPILER_FAILED", "the node is stopping");
    if (this.#current === undefined) {
      const abort = new AbortController();
      const current = { abort, process: this.#start(abort.signal, () => this.#forget(current)) };
      this.#current = current;
    }
    return this.#current;
  }

  /** Kills a process, but not its successor. */
  #drop(current: Current): void {
    this.#forget(current);
    current.abort.abort();
  }

  #forget(current: Current): void {
    if (this.#current === current) this.#current = undefined;
  }

  async #start(signal: AbortSignal, onEnded: () => void): Promise<RequestProcess> {
    try {
      const child = await this.#deps.start(signal);
      signal.addEventListener("abort", () => child.kill());
      if (signal.aborted) child.kill();
      void child.ended.then(onEnded);
      return child;
    } catch (error) {
      onEnded();
      throw error;
    }
  }
}
