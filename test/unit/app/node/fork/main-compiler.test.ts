import { describe, expect, test } from "bun:test";
import { MainCompiler } from "#app/node/fork/main-compiler.ts";
import type { FromFork } from "#app/node/threads/fork-messages.ts";
import { OriginError } from "#base/errors/index.ts";
import { encodeContractClass } from "#protocol/chain/index.ts";

const SIERRA = {
  kind: "sierra",
  sierraProgram: [1n, 7n, 0n],
  contractClassVersion: "0.1.0",
  entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
  abi: "[]",
} as const;

const SHIPPED = 9n;

function world() {
  const sent: FromFork[] = [];
  const shipped = (classHash: bigint) => (classHash === SHIPPED ? "shipped" : undefined);
  return { compiler: new MainCompiler(shipped, (message) => void sent.push(message)), sent };
}

describe("MainCompiler", () => {
  test("sends the class, and returns its code", async () => {
    const { compiler, sent } = world();
    const compiling = compiler.compile(5n, SIERRA);
    expect(sent).toEqual([
      { kind: "compile", id: 1, classHash: 5n, contractClass: encodeContractClass(SIERRA) },
    ]);
    compiler.settle(1, { kind: "compiled", casmJson: "{}" });
    expect(await compiling).toBe("{}");
  });

  test("knows the code of classes that the program contains", async () => {
    const { compiler, sent } = world();
    expect(await compiler.compile(SHIPPED, SIERRA)).toBe("shipped");
    expect(sent).toEqual([]);
  });

  test("matches answers that arrive in another order", async () => {
    const { compiler } = world();
    const first = compiler.compile(5n, SIERRA);
    const second = compiler.compile(6n, SIERRA);
    compiler.settle(2, { kind: "compiled", casmJson: "second" });
    compiler.settle(1, { kind: "compiled", casmJson: "first" });
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  });

  test("reports a class that cannot be compiled as such", async () => {
    const { compiler } = world();
    const compiling = compiler.compile(5n, SIERRA);
    compiler.settle(1, { kind: "refused", reason: "too new" });
    expect(await compiling).toBeUndefined();
  });

  test("fails with a retryable error while the compiler is busy", async () => {
    const { compiler } = world();
    const compiling = compiler.compile(5n, SIERRA).catch((error: unknown) => error);
    compiler.settle(1, { kind: "busy", reason: "all busy" });
    const error = await compiling;
    expect(error).toBeInstanceOf(OriginError);
    expect(error).toMatchObject({ code: "ORIGIN_UNAVAILABLE", retryable: true });
    expect(String(error)).toContain("all busy");
  });
});
