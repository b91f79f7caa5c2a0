import type { Timer } from "#base/primitives/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { SyncCompile, SyncCompiled } from "#services/sync/index.ts";

/** Dependencies of {@link ClassRequests}. */
export interface ClassRequestsDeps {
  readonly compiler: Pick<ClassCompiler, "compile">;
  readonly timer: Timer;
  readonly answer: (message: SyncCompiled) => void;
}

/** Sender of classes that come from blocks, not from a submission. */
const NO_SENDER = 0n;

/** Compiles the classes that synced blocks declare; retries while the compilers are busy. */
export class ClassRequests {
  readonly #deps: ClassRequestsDeps;
  /** Aborted when the sync thread restarts: request ids start again at 0. */
  #abort = new AbortController();

  constructor(deps: ClassRequestsDeps) {
    this.#deps = deps;
  }

  /** Sends a reply once the class is compiled or refused. */
  async compile({ id, classHash, classBytes }: SyncCompile): Promise<void> {
    const { compiler, timer, answer } = this.#deps;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const outcome = await compiler.compile({ sender: NO_SENDER, classHash, classBytes, signal });
      if (signal.aborted) return;
      switch (outcome.kind) {
        case "compiled":
          answer({ kind: "compiled", id, casmJson: outcome.casmJson, reason: null });
          return;
        case "refused": {
          const reason = `${outcome.code}: ${outcome.reason}`;
          answer({ kind: "compiled", id, casmJson: null, reason });
          return;
        }
        case "busy":
          await pause(timer, outcome.retryAfterSeconds * 1000, signal);
      }
    }
  }

  /** Drops open requests, because the thread that sent them has stopped. */
  interrupt(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }
}

function pause(timer: Timer, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = timer.after(delayMs, end);
    signal.addEventListener("abort", end);
  });
}
