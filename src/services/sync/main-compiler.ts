import type { Felt, Outlet } from "#base/primitives/index.ts";
import type { SyncCompile, SyncCompiled } from "./messages.ts";
import type { CodeCompiler, CompiledCode } from "./ports.ts";
import { Questions } from "./questions.ts";

/** Has classes compiled by the main thread, in whose child process the compiler runs. */
export class MainCompiler implements CodeCompiler {
  readonly #main: Outlet<SyncCompile>;
  readonly #questions = new Questions<CompiledCode>();

  constructor(main: Outlet<SyncCompile>) {
    this.#main = main;
  }

  compile(classHash: Felt, classBytes: Uint8Array): Promise<CompiledCode> {
    return this.#questions.ask((id) =>
      this.#main.send({ kind: "compile", id, classHash, classBytes }),
    );
  }

  /** The main thread has answered. */
  answered({ id, casmJson, reason }: SyncCompiled): void {
    this.#questions.answer(id, { casmJson, reason });
  }

  /** Refuses what waits, and what is asked from now on. */
  stop(): void {
    this.#questions.stop();
  }
}
