import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAnswer } from "#io/l1/endpoint/answer.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { bySize } from "#test/helpers/test-size.ts";

const encoder = new TextEncoder();

function read(text: string) {
  return readAnswer(encoder.encode(text));
}

/** Long enough to be parsed in several slices. */
const FILLER = Array.from({ length: 5000 }, (_, i) => ({ text: "x".repeat(100), i }));

describe("readAnswer", () => {
  test("reads a result or an error, and nothing else", async () => {
    expect(await read(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`)).toEqual({
      kind: "result",
      result: "0x1",
    });
    expect(await read(`{"result":null}`)).toEqual({ kind: "result", result: null });
    expect(await read(`{"error":{"code":-1,"message":"no"},"result":null}`)).toEqual({
      kind: "error",
      code: -1,
      message: "no",
    });
    expect(await read(`{"error":{"code":"x"}}`)).toMatchObject({ kind: "error", code: undefined });
    for (const text of ["", "null", "5", "[]", "{}", "<html>", `{"result":`, `{"result":1}}`]) {
      expect(await read(text)).toBeUndefined();
    }
    expect(await readAnswer(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
    expect(await read("[".repeat(200_000))).toBeUndefined();
  });

  test("reads a long response in slices with the same result", async () => {
    const answers = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 20 });
    await assertProperty(
      fc.asyncProperty(answers, fc.boolean(), fc.boolean(), async (values, isWide, isTail) => {
        const result = isTail ? [...values, ...FILLER] : [...FILLER, ...values];
        const document = { jsonrpc: "2.0", id: 1, result };
        const text = JSON.stringify(document, null, isWide ? 1 : 0);
        expect(await read(text)).toEqual({ kind: "result", result: JSON.parse(text).result });
      }),
      { numRuns: 40 },
    );
  });

  test("rejects a long response that is cut anywhere", async () => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: FILLER });
    for (const keep of [0.5, 0.9, 0.99]) {
      expect(await read(text.slice(0, text.length * keep))).toBeUndefined();
    }
    expect(await read(text.slice(0, -1))).toBeUndefined();
    expect(await read(`${text}}`)).toBeUndefined();
    expect(await read(text.replace(`},{`, "},,{"))).toBeUndefined();
    expect(await read(text.replace(`"text":"xxx`, `"text":"xx"x`))).toBeUndefined();
  });

  test("rejects a response with too many values without parsing it", async () => {
    // Above the 2 MiB up to which a response is parsed as a whole.
    const count = bySize({ quick: 1_000_000, full: 10_000_000 });
    const long = "[],".repeat(count);
    const hostile = [
      `{"result":[{"a":[${long}1]}]}`,
      `{"result":[[${long}1]]}`,
      `{"result":{"a":[${long}1]}}`,
      `{"id":1,"result":[{"a":${"1".repeat(3 * count)}}]}`,
      `{"id":1,"result":[${" ".repeat(3 * count)}]}`,
      `{"id":1,"error":{"message":[${long}1]}}`,
    ];
    for (const text of hostile) {
      const startMs = performance.now();
      expect(await read(text)).toBeUndefined();
      expect(performance.now() - startMs).toBeLessThan(stallBoundMs(2000));
    }
  });

  test("reads the longest logs of a block without blocking the event loop", async () => {
    const data = `0x${"0".repeat(1 << 20)}`;
    const result = Array.from({ length: 48 }, () => ({ data }));
    const bytes = encoder.encode(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    const boundMs = stallBoundMs(500);
    let lastMs = performance.now();
    let longestMs = 0;
    const beat = setInterval(() => {
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    }, 1);
    const answer = await readAnswer(bytes);
    clearInterval(beat);
    expect(longestMs).toBeGreaterThan(0);
    expect(longestMs).toBeLessThan(boundMs);
    expect(answer).toMatchObject({ kind: "result" });
  });
});
