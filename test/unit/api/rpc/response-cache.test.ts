import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RESPONSE_CACHE_BYTES, ResponseCache } from "#api/rpc/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length);

function keep(cache: ResponseCache, key: string, length: number): void {
  cache.put(cache.ticket(key), bytes(length));
}

describe("ResponseCache", () => {
  test("returns the text or bytes that were last stored under a key", () => {
    const cache = new ResponseCache(RESPONSE_CACHE_BYTES);
    cache.put(cache.ticket("a"), `{"result":1}`);
    cache.put(cache.ticket("b"), bytes(5));
    cache.put(cache.ticket("a"), `{"result":2}`);
    expect(cache.get("a")).toBe(`{"result":2}`);
    expect(cache.get("b")).toEqual(bytes(5));
    expect(cache.get("c")).toBeUndefined();
  });

  test("rejects entries whose ticket is older than a clear", () => {
    const cache = new ResponseCache(RESPONSE_CACHE_BYTES);
    keep(cache, "a", 10);
    const staleTicket = cache.ticket("b");
    cache.clear();
    cache.put(staleTicket, bytes(10));
    expect([cache.get("a"), cache.get("b"), cache.sizeBytes]).toEqual([undefined, undefined, 0]);
    keep(cache, "b", 10);
    expect(cache.get("b")).toEqual(bytes(10));
  });
});

describe("ResponseCache bound", () => {
  test("evicts the least recently used entry first", () => {
    const cache = new ResponseCache(10_000);
    for (const key of ["a", "b", "c", "d"]) keep(cache, key, 2_000);
    cache.get("a");
    keep(cache, "e", 2_000);
    expect(["a", "b", "c", "d", "e"].filter((key) => cache.get(key) !== undefined)).toEqual([
      ...["a", "c", "d", "e"],
    ]);
  });

  test("does not store or evict for a response above a quarter of the limit", () => {
    const cache = new ResponseCache(10_000);
    keep(cache, "a", 2_000);
    keep(cache, "large", 2_500);
    expect(cache.get("large")).toBeUndefined();
    expect(cache.get("a")).toBeDefined();
  });

  test("keeps a size that matches its entries and never exceeds the limit", () => {
    const step = fc.record({ key: fc.nat(12), length: fc.nat(900), asks: fc.boolean() });
    assertProperty(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new ResponseCache(4_000);
        for (const { key, length, asks } of steps) {
          if (asks) cache.get(String(key));
          else keep(cache, String(key), length);
          expect(cache.sizeBytes).toBeLessThanOrEqual(4_000);
        }
        const kept = Array.from({ length: 13 }, (_, key) => cache.get(String(key)));
        const least = kept.reduce((sum, answer) => sum + (answer?.length ?? 0), 0);
        const count = kept.filter((answer) => answer !== undefined).length;
        expect(cache.sizeBytes).toBeGreaterThanOrEqual(least);
        expect(cache.sizeBytes).toBeLessThanOrEqual(least + count * 250);
      }),
    );
  });
});
