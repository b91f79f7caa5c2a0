import { expect, test } from "bun:test";
import { decodeOriginToken, encodeOriginToken } from "#api/rpc/events/origin-token.ts";
import { readOriginPage } from "#api/rpc/events/origin-page.ts";
import { decodeToken } from "#api/rpc/events/token.ts";
import { OriginError } from "#base/errors/index.ts";

const CHAIN_ID = 0x7e57n;
const FILTER = { addresses: [], keys: [], chunkSize: 5 };
const POSITION = {
  token: "at-5",
  fromBlock: 1,
  toBlock: 9,
  lastTransaction: 0xabcn,
  lastCount: 2,
};

test("a token returns the position that it was made of", () => {
  const text = encodeOriginToken(CHAIN_ID, FILTER, POSITION);
  expect(decodeOriginToken(CHAIN_ID, FILTER, text)).toEqual(POSITION);
});

test("a token of another chain is unknown", () => {
  const text = encodeOriginToken(CHAIN_ID, FILTER, POSITION);
  expect(decodeOriginToken(1n, FILTER, text)).toBeUndefined();
});

test("a token in the origin's blocks is no position in stored blocks", () => {
  const text = encodeOriginToken(CHAIN_ID, FILTER, POSITION);
  expect(decodeToken(CHAIN_ID, FILTER, text)).toBeUndefined();
});

test.each(["", "line\nbreak", "é"])("a token never passes %p on to the origin", (token) => {
  const text = encodeOriginToken(CHAIN_ID, FILTER, { ...POSITION, token });
  expect(decodeOriginToken(CHAIN_ID, FILTER, text)).toBeUndefined();
});

const event = (block_number: number) => ({
  from_address: "0x1",
  keys: [],
  data: [],
  block_hash: "0x2",
  block_number,
  transaction_hash: "0x3",
});

test.each([
  ["events out of order", { events: [event(4), event(3)] }],
  ["an event above the range", { events: [event(10)] }],
  ["an event below the range", { events: [event(0)] }],
  ["an empty token", { events: [], continuation_token: "" }],
  ["a long token", { events: [], continuation_token: "a".repeat(1_025) }],
])("a page of the origin with %s is refused", (_, page) => {
  const ask = () => Buffer.from(JSON.stringify(page));
  expect(() => readOriginPage({ ask }, FILTER, POSITION)).toThrow(OriginError);
});

test("a token that the origin does not know has no page", () => {
  expect(readOriginPage({ ask: () => null }, FILTER, POSITION)).toBeUndefined();
});
