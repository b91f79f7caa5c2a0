import type { Felt, Outlet } from "#base/primitives/index.ts";
import type { SyncCompile, SyncCompiled } from "./messages.ts";
import type { CodeCompiler, CompiledCode } from "./ports.ts";
import { Questions } from "./questions.ts";

/** Delegates compilation to the main thread, whose child process runs the compiler. */
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

  answered({ id, casmJson, reason }: SyncCompiled): void {
    this.#questions.answer(id, { casmJson, reason });
  }

  /** Rejects pending and future requests. */
  stop(): void {
    this.#questions.stop();
  }
}
