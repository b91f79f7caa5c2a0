import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { channelOf, replay, replayStory, STORY } from "#test/helpers/replay-world.ts";
import { lie } from "#test/helpers/replay-lies.ts";
import { bySize } from "#test/helpers/test-size.ts";

let world: DeclareWorld;

beforeAll(async () => {
  world = await replayStory();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

/** One in this many members is changed. */
const STRIDE = bySize({ quick: 8, full: 1 });

type Path = readonly (string | number)[];

/** Paths to all primitive members below a value, and to empty lists. */
function* leaves(value: JsonValue, path: Path = []): Generator<Path> {
  if (value === null || typeof value !== "object") return void (yield path);
  const entries = Array.isArray(value)
    ? value.map((item, i): [number, JsonValue] => [i, item as JsonValue])
    : Object.entries(value as Record<string, JsonValue>);
  if (entries.length === 0) yield path;
  for (const [name, member] of entries) yield* leaves(member, [...path, name]);
}

/** The path without list indices: one element of each kind is enough. */
function shapeOf(path: Path): string {
  return path.map((name) => (typeof name === "number" ? "*" : name)).join(".");
}

/** Another value of the same form. */
function changed(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return ["0xbad"];
  const text = String(value);
  const others: Readonly<Record<string, string>> = {
    CALL: "DELEGATE",
    LIBRARY_CALL: "CALL",
    EXTERNAL: "CONSTRUCTOR",
    CONSTRUCTOR: "EXTERNAL",
    INVOKE: "DECLARE",
    DECLARE: "INVOKE",
    DEPLOY_ACCOUNT: "INVOKE",
  };
  return others[text] ?? (text.startsWith("0x") ? "0xbad" : `${text}!`);
}

describe("a false trace of a transaction is detected", () => {
  test("by every member of the traces of transfers, a revert, a deployment, a declaration", async () => {
    const tried = new Set<string>();
    for (const block of [STORY.transfers, STORY.deployment, STORY.declare]) {
      const request = { block_id: { block_number: block } };
      const traces = await channelOf(world).call("starknet_traceBlockTransactions", request);
      for (const path of leaves(traces)) {
        const shape = shapeOf(path);
        if (!path.includes("trace_root") || tried.has(shape)) continue;
        tried.add(shape);
        if (tried.size % STRIDE !== 0) continue;
        const tamper = lie("traceBlockTransactions", ["traces", ...path], changed);
        const outcome = await replay(world, block, tamper).catch((error: unknown) => error);
        const found = outcome instanceof Error ? { kind: "refused", outcome } : (outcome as object);
        expect({ path, ...found }).toMatchObject({
          kind: expect.stringMatching(/^(differs|refused)$/),
        });
        if (outcome instanceof Error) expect(outcome.message).toContain("traceBlockTransactions");
      }
    }
    expect(tried.size).toBeGreaterThan(60);
  });

  test("for an invented call, and a missing one", async () => {
    const root = ["traces", 0, "trace_root"] as const;
    const calls = [...root, "execute_invocation", "calls"] as const;
    for (const [path, change] of [
      [[...root, "validate_invocation"], () => undefined],
      [[...root, "execute_invocation"], () => ({ revert_reason: "because" })],
      [calls, (list: unknown) => [...(list as unknown[]), (list as unknown[])[0]]],
      [calls, () => []],
    ] as const) {
      const outcome = await replay(
        world,
        STORY.transfers,
        lie("traceBlockTransactions", path, change),
      );
      expect(outcome).toMatchObject({ kind: "differs", difference: { transaction: { index: 0 } } });
    }
  });
});
