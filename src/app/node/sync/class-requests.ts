import type { Timer } from "#base/primitives/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { SyncCompile, SyncCompiled } from "#services/sync/index.ts";

/** What compiling for the sync thread works with. */
export interface ClassRequestsDeps {
  readonly compiler: Pick<ClassCompiler, "compile">;
  readonly timer: Timer;
  readonly answer: (message: SyncCompiled) => void;
}

/** Classes of blocks are asked for in nobody's name. */
const NOBODY = 0n;

/** Has the classes compiled that blocks declare; asks again where the compilers are busy. */
export class ClassRequests {
  readonly #deps: ClassRequestsDeps;
  /** What is asked for by threads that are gone is not answered: ids begin anew. */
  #asked = new AbortController();

  constructor(deps: ClassRequestsDeps) {
    this.#deps = deps;
  }

  /** Answers once the class is compiled, or cannot be. */
  async compile({ id, classHash, classBytes }: SyncCompile): Promise<void> {
    const { compiler, timer, answer } = this.#deps;
    const { signal } = this.#asked;
    while (!signal.aborted) {
      const outcome = await compiler.compile({ sender: NOBODY, classHash, classBytes, signal });
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

  /** Whoever asked is gone. */
  interrupt(): void {
    this.#asked.abort();
    this.#asked = new AbortController();
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
