import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AnswerMemo } from "#api/rpc/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length);

function keep(memo: AnswerMemo, key: string, length: number): void {
  memo.put(memo.ticket(key), bytes(length));
}

describe("an answer is found under its key", () => {
  test("text and bytes, the last one that was put there", () => {
    const memo = new AnswerMemo();
    memo.put(memo.ticket("a"), `{"result":1}`);
    memo.put(memo.ticket("b"), bytes(5));
    memo.put(memo.ticket("a"), `{"result":2}`);
    expect(memo.get("a")).toBe(`{"result":2}`);
    expect(memo.get("b")).toEqual(bytes(5));
    expect(memo.get("c")).toBeUndefined();
  });

  test("until the memo is cleared, also when it was begun before that", () => {
    const memo = new AnswerMemo();
    keep(memo, "a", 10);
    const begun = memo.ticket("b");
    memo.clear();
    memo.put(begun, bytes(10));
    expect([memo.get("a"), memo.get("b"), memo.sizeBytes]).toEqual([undefined, undefined, 0]);
    keep(memo, "b", 10);
    expect(memo.get("b")).toEqual(bytes(10));
  });
});

describe("there is a bound", () => {
  test("what was used longest ago goes first", () => {
    const memo = new AnswerMemo(10_000);
    for (const key of ["a", "b", "c", "d"]) keep(memo, key, 2_000);
    memo.get("a");
    keep(memo, "e", 2_000);
    expect(["a", "b", "c", "d", "e"].filter((key) => memo.get(key) !== undefined)).toEqual([
      ...["a", "c", "d", "e"],
    ]);
  });

  test("an answer of more than a quarter is not kept, and drives nothing out", () => {
    const memo = new AnswerMemo(10_000);
    keep(memo, "a", 2_000);
    keep(memo, "large", 2_500);
    expect(memo.get("large")).toBeUndefined();
    expect(memo.get("a")).toBeDefined();
  });

  test("the size is that of the entries, and never above the bound", () => {
    const step = fc.record({ key: fc.nat(12), length: fc.nat(900), asks: fc.boolean() });
    assertProperty(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const memo = new AnswerMemo(4_000);
        for (const { key, length, asks } of steps) {
          if (asks) memo.get(String(key));
          else keep(memo, String(key), length);
          expect(memo.sizeBytes).toBeLessThanOrEqual(4_000);
        }
        const kept = Array.from({ length: 13 }, (_, key) => memo.get(String(key)));
        const least = kept.reduce((sum, answer) => sum + (answer?.length ?? 0), 0);
        const count = kept.filter((answer) => answer !== undefined).length;
        expect(memo.sizeBytes).toBeGreaterThanOrEqual(least);
        expect(memo.sizeBytes).toBeLessThanOrEqual(least + count * 250);
      }),
    );
  });
});
