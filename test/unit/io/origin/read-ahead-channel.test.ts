import { describe, expect, test } from "bun:test";
import { ADDRESS_BOUND } from "#base/primitives/index.ts";
import { type OriginQuery, originQueryText, ReadAheadChannel } from "#io/origin/index.ts";

const BLOCK = 9;
const storage = (address: bigint, key: bigint): OriginQuery => ({
  kind: "storage",
  block: BLOCK,
  address,
  key,
});

/** Queries that the channel makes together for one query. */
function askedWith(query: OriginQuery) {
  const asked: string[] = [];
  const channel = new ReadAheadChannel({
    require: () => undefined,
    ask(each, companions = []) {
      asked.push(...[each, ...companions].map(originQueryText));
      return null;
    },
  });
  expect(channel.ask(query)).toBeNull();
  return asked;
}

test("companions that the caller names are fetched as well", () => {
  const asked: (readonly OriginQuery[])[] = [];
  const channel = new ReadAheadChannel({
    require: () => undefined,
    ask: (_, companions = []) => (asked.push(companions), null),
  });
  channel.ask(storage(0x1234n, 5n), [storage(0x1234n, 9n)]);
  expect(asked).toEqual([[storage(0x1234n, 6n), storage(0x1234n, 9n)]]);
});

describe("a question for", () => {
  test.each<[string, OriginQuery, readonly OriginQuery[]]>([
    [
      "a storage variable announces the next one and the alias",
      storage(0x1234n, 0x500n),
      [storage(0x1234n, 0x501n), storage(2n, 0x500n)],
    ],
    [
      "a variable without an alias announces the next one",
      storage(0x1234n, 5n),
      [storage(0x1234n, 6n)],
    ],
    [
      "the last storage variable announces its alias only",
      storage(0x1234n, ADDRESS_BOUND - 1n),
      [storage(2n, ADDRESS_BOUND - 1n)],
    ],
    ["an alias announces nothing else", storage(2n, 0x500n), []],
    [
      "a nonce announces the class and the alias of the address",
      { kind: "nonce", block: BLOCK, address: 0x1234n },
      [{ kind: "classHash", block: BLOCK, address: 0x1234n }, storage(2n, 0x1234n)],
    ],
    ["a class announces nothing else", { kind: "class", block: BLOCK, classHash: 0x99n }, []],
  ])("%s", (_, query, companions) => {
    expect(askedWith(query)).toEqual([query, ...companions].map(originQueryText));
  });
});
