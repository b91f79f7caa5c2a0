import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { casmClassFromJson, encodeContractClass, type SierraClass } from "#protocol/chain/index.ts";
import type { CompilerAnswer } from "#services/admission/index.ts";
import { replayCompiler, startReplayCompiler } from "#app/node/compiler/replay-compiler.ts";
import { renamedClass } from "#test/helpers/declare-world.ts";
import { classOf, COMPILED, FakeCompiler } from "#test/helpers/fake-compiler.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const CLASS = classOf(1n);
const DEADLINE_MS = 5_000;

/** A class of real code, with its compiled form. */
function realClass(): { readonly classHash: bigint; readonly code: SierraClass; casmJson: string } {
  const { classHash, contractClass, casmJson } = renamedClass("account", "of another node");
  if (contractClass.kind !== "sierra" || casmJson === null) throw new TypeError("no Sierra class");
  return { classHash, code: contractClass, casmJson };
}

function compileWith(answer: CompilerAnswer, timer = new FakeTimer()) {
  const compiler = new FakeCompiler();
  const compilation = replayCompiler(compiler, DEADLINE_MS, timer).compile(7n, CLASS);
  expect(compiler.received).toEqual([encodeContractClass(CLASS)]);
  compiler.answer(answer);
  return compilation;
}

describe("the replay compiler", () => {
  test("returns the compiled code", async () => {
    const { casmJson } = realClass();
    const compiled = { ...COMPILED.compiled, casmJson };
    const timer = new FakeTimer();
    expect(await compileWith({ kind: "compiled", compiled }, timer)).toEqual({
      kind: "compiled",
      casm: casmClassFromJson(casmJson),
    });
    expect(timer.alarms).toBe(0);
  });

  test("fails with the compiler's reason", async () => {
    const answer = { kind: "failed", code: "SIERRA", message: "no such libfunc" } as const;
    const reason = "SIERRA: no such libfunc";
    expect(await compileWith(answer)).toEqual({ kind: "failed", reason });
  });

  test.each([
    [
      { kind: "outOfMemory", limitBytes: 2 ** 30 },
      "compiling took more than 1024 MiB of memory (--compiler-memory)",
    ],
    [
      { kind: "outOfTime", limitMs: 60_000 },
      "compiling took more than 60 s of processor time (--compiler-timeout)",
    ],
    [{ kind: "ended", reason: "its process was killed" }, "its process was killed"],
  ] as const)("is unfinished for a reason: %p", async (answer, reason) => {
    expect(await compileWith(answer)).toEqual({ kind: "unfinished", reason });
  });

  test("throws without a compiler", () => {
    expect(compileWith({ kind: "unavailable", reason: "no process" })).rejects.toThrow(NodeError);
  });

  test("gives up at its deadline", async () => {
    const timer = new FakeTimer();
    const compiler = new FakeCompiler();
    const compilation = replayCompiler(compiler, DEADLINE_MS, timer).compile(7n, CLASS);
    timer.advance(DEADLINE_MS - 1);
    expect(compiler.kills).toBe(0);
    timer.advance(1);
    expect(await compilation).toEqual({
      kind: "unfinished",
      reason: "compiling took longer than 5 s",
    });
    expect(compiler.kills).toBe(1);
  });

  test("compiles in a process that ends with it", async () => {
    const compiler = startReplayCompiler(
      { maxResidentBytes: 2 ** 30, maxCpuMs: 60_000, niceness: 0 },
      SYSTEM_TIMER,
    );
    const { classHash, code, casmJson } = realClass();
    expect(await compiler.compile(classHash, code)).toEqual({
      kind: "compiled",
      casm: casmClassFromJson(casmJson),
    });
    await compiler.stop();
    expect(compiler.compile(classHash, code)).rejects.toThrow(NodeError);
  });
});
