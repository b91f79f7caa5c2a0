import { ClassCompiler, type Compiler, type CompilerAnswer } from "#services/admission/index.ts";
import type { SierraClass } from "#protocol/chain/index.ts";
import {
  COMPILE_LIMITS,
  type CompileServiceLimits,
} from "#services/admission/compile/compile-limits.ts";
import { FakeTimer } from "./fake-timer.ts";

/** A compiler that a test plays. */
export class FakeCompiler implements Compiler {
  /** The classes that it was given, in order. */
  readonly given: Uint8Array[] = [];
  kills = 0;
  #answer: ((answer: CompilerAnswer) => void) | undefined;

  compile(bytes: Uint8Array): Promise<CompilerAnswer> {
    this.given.push(bytes);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  kill(): void {
    this.kills++;
    this.answer({ kind: "ended", reason: "killed" });
  }

  /** Answers the class at hand. */
  answer(answer: CompilerAnswer): void {
    const resolve = this.#answer;
    this.#answer = undefined;
    resolve?.(answer);
  }
}

/** What a fake compiler gives. */
export const COMPILED: Extract<CompilerAnswer, { kind: "compiled" }> = {
  kind: "compiled",
  compiled: { casmJson: "{}", hashes: { poseidon: 1n, blake: 2n } },
};

/** A class of `felts` felts that no other number makes. */
export function classOf(number: bigint, felts = 1): SierraClass {
  return {
    kind: "sierra",
    sierraProgram: Array.from({ length: felts }, () => number),
    contractClassVersion: "0.1.0",
    entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    abi: "",
  };
}

/** A service with compilers and a clock that a test plays. */
export function compilerWorld(count = 1, limits: Partial<CompileServiceLimits> = {}) {
  const compilers = Array.from({ length: count }, () => new FakeCompiler());
  const timer = new FakeTimer();
  const service = new ClassCompiler({ compilers, timer, limits: { ...COMPILE_LIMITS, ...limits } });
  const ask = (sender: bigint, classHash: bigint, felts = 1) =>
    service.compile({ sender, classHash, contractClass: classOf(classHash, felts) });
  return { compilers, timer, service, ask };
}
