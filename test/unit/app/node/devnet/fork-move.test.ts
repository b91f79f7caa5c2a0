import { describe, expect, test } from "bun:test";
import type { ForkTarget } from "#api/rpc/index.ts";
import { ForkMove } from "#app/node/devnet/fork-move.ts";
import { ConfigError, OriginError } from "#base/errors/index.ts";

/** A move that records its steps, one of which may fail. */
function world(failing?: "stage" | "decide" | "replace", failure?: unknown) {
  const steps: unknown[] = [];
  const step = async (name: string, ...values: readonly unknown[]): Promise<void> => {
    steps.push(name, ...values);
    if (name === failing) throw failure;
  };
  const move = new ForkMove({
    stage: (block) => step("stage", block),
    decide() {
      steps.push("decide");
      if (failing === "decide") throw failure;
    },
    discard: () => void steps.push("discard"),
    replace: () => step("replace"),
  });
  return { move, steps };
}

const LATEST: ForkTarget = { kind: "latest" };
const NUMBER: ForkTarget = { kind: "number", number: 7 };

describe("a move of a fork", () => {
  test("stages a block, decides and replaces the chain", async () => {
    const { move, steps } = world();
    await move.to(NUMBER);
    await move.to(LATEST);
    const after = ["decide", "replace"];
    expect(steps).toEqual(["stage", NUMBER, ...after, "stage", null, ...after]);
  });

  test("discards a block that the origin does not return", async () => {
    const failure = new OriginError("ORIGIN_UNAVAILABLE", "http://a.example: no response", true);
    const { move, steps } = world("stage", failure);
    expect(await move.to(NUMBER).catch((error: unknown) => error)).toBe(failure);
    expect(steps).toEqual(["stage", NUMBER, "discard"]);
  });

  test("reports why the chain cannot continue a block", async () => {
    const { move, steps } = world("stage", new ConfigError("version 0.12.0 is too old"));
    expect(await move.to(NUMBER).catch((error: unknown) => error)).toMatchObject({
      error: { code: -1, message: "the fork stays at its block: version 0.12.0 is too old" },
    });
    expect(steps.at(-1)).toBe("discard");
  });

  test("discards a staged chain that cannot be decided for", async () => {
    const failure = new RangeError("full disk");
    const { move, steps } = world("decide", failure);
    expect(await move.to(NUMBER).catch((error: unknown) => error)).toBe(failure);
    expect(steps).toEqual(["stage", NUMBER, "decide", "discard"]);
  });

  test("keeps the decision when the chain cannot be replaced", async () => {
    const { move, steps } = world("replace", new RangeError("no thread"));
    expect(await move.to(LATEST).catch((error: unknown) => error)).toBeInstanceOf(RangeError);
    expect(steps).toEqual(["stage", null, "decide", "replace"]);
  });

  test("refuses another one meanwhile, and accepts one afterwards", async () => {
    const { move, steps } = world();
    const first = move.to(NUMBER);
    expect(await move.to(LATEST).catch((error: unknown) => error)).toMatchObject({
      message: "the fork is being moved already: try again later",
    });
    await first;
    await move.to(LATEST);
    expect(steps).toHaveLength(8);
  });
});
