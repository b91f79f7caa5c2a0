import {
  ClassCompiler,
  type CompileRequest,
  type Compiler,
  type CompilerAnswer,
  type CompilerWork,
} from "#services/admission/index.ts";
import {
  decodeContractClass,
  encodeContractClass,
  type SierraClass,
} from "#protocol/chain/index.ts";
import {
  COMPILE_LIMITS,
  type CompileServiceLimits,
} from "#services/admission/compile/compile-limits.ts";
import { settle } from "./admission-world.ts";
import { FakeTimer } from "./fake-timer.ts";

/** A compiler whose results the test sets. */
export class FakeCompiler implements Compiler {
  /** The received classes, in order. */
  readonly received: Uint8Array[] = [];
  kills = 0;
  #answer: ((answer: CompilerAnswer) => void) | undefined;

  compile({ classBytes }: CompilerWork): Promise<CompilerAnswer> {
    this.received.push(classBytes);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  kill(): void {
    this.kills++;
    this.answer({ kind: "ended", reason: "killed" });
  }

  /** Responds to the current class. */
  answer(answer: CompilerAnswer): void {
    const resolve = this.#answer;
    this.#answer = undefined;
    resolve?.(answer);
  }
}

/** Answer of a {@link FakeCompiler} that has compiled a class. */
export const COMPILED: Extract<CompilerAnswer, { kind: "compiled" }> = {
  kind: "compiled",
  compiled: { casmJson: "{}", bytecodeLength: 3, hashes: { poseidon: 1n, blake: 2n } },
};

/** A class of `felts` felts that is unique for its number. */
export function classOf(number: bigint, felts = 1): SierraClass {
  return {
    kind: "sierra",
    sierraProgram: Array.from({ length: felts }, () => number),
    contractClassVersion: "0.1.0",
    entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    abi: "",
  };
}

/** Creates a class compiler service with fake compilers and a clock that the test controls. */
export function compilerWorld(count = 1, limits: Partial<CompileServiceLimits> = {}) {
  const compilers = Array.from({ length: count }, () => new FakeCompiler());
  const timer = new FakeTimer();
  const service = new ClassCompiler({
    compilers,
    timer,
    limits: { ...COMPILE_LIMITS, deadlineMs: 60_000, ...limits },
  });
  const ask = (
    sender: bigint,
    classHash: bigint,
    felts = 1,
    isTrial = false,
    grade: CompileRequest["grade"] = "plain",
    client?: string,
  ) =>
    service.compile({
      sender,
      classHash,
      classBytes: encodeContractClass(classOf(classHash, felts)),
      ...(isTrial ? { isTrial } : {}),
      grade,
      ...(client === undefined ? {} : { client }),
    });
  return { compilers, timer, service, ask };
}

/** The compiler of a {@link compilerWorld} with a single one. */
export function onlyOf(compilers: readonly FakeCompiler[]): FakeCompiler {
  const [compiler] = compilers;
  if (compiler === undefined || compilers.length !== 1) throw new RangeError("expected one");
  return compiler;
}

/** Number of the class that a compiler received last. */
export function lastClass({ received }: FakeCompiler): bigint | undefined {
  const decoded = decodeContractClass(received.at(-1) ?? new Uint8Array());
  return decoded.kind === "sierra" ? decoded.sierraProgram[0] : undefined;
}

/** Lets one compiler process the whole queue. @returns the classes in order */
export async function workOff(
  compiler: FakeCompiler,
  count: number,
  tick: () => void,
): Promise<bigint[]> {
  const order: bigint[] = [];
  for (let i = 0; i < count; i++) {
    order.push(lastClass(compiler) ?? -1n);
    tick();
    compiler.answer(COMPILED);
    await settle();
  }
  return order;
}
