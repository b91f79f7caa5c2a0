import { expect, test } from "bun:test";
import { type OriginQuery, originQueryText } from "#io/origin/index.ts";
import { isLimited } from "#io/origin/query.ts";

const EVENTS = {
  kind: "events",
  fromBlock: 1,
  toBlock: 2,
  addresses: [3n, 4n],
  keys: [[5n, 6n], [], [7n]],
  token: null,
  chunkSize: 10,
} as const;

test.each<[string, OriginQuery]>([
  ["storage 1 0x2 0xff", { kind: "storage", block: 1, address: 2n, key: 255n }],
  ["nonce 1 0x2", { kind: "nonce", block: 1, address: 2n }],
  ["classHash 1 0x2", { kind: "classHash", block: 1, address: 2n }],
  ["class 1 0x2", { kind: "class", block: 1, classHash: 2n }],
  ["block 1", { kind: "block", block: 1 }],
  ["numberByHash 0x2", { kind: "numberByHash", blockHash: 2n }],
  ["locate 0x2", { kind: "locate", transactionHash: 2n }],
  [`messages 0x8${"0".repeat(63)}`, { kind: "messages", l1TransactionHash: 2n ** 255n }],
  ["proof 1 {}", { kind: "proof", block: 1, paramsText: "{}" }],
  ["l1Accepted", { kind: "l1Accepted" }],
  ["events 1 2 0x3,0x4 0x5,0x6;;0x7 10 ", EVENTS],
  ["events 1 2 0x3,0x4 0x5,0x6;;0x7 10 7-0", { ...EVENTS, token: "7-0" }],
])("identifies a query as %s", (text, query) => {
  expect(originQueryText(query)).toBe(text);
});

test.each<[string, OriginQuery, boolean]>([
  ["a transaction", { kind: "locate", transactionHash: 2n }, true],
  ["a class", { kind: "class", block: 1, classHash: 2n }, true],
  ["a storage variable", { kind: "storage", block: 1, address: 2n, key: 3n }, true],
  ["a page of events", EVENTS, true],
  ["the newest block that L1 accepted", { kind: "l1Accepted" }, false],
])("knows whether clients can cause any number of values: %s", (_, query, expected) => {
  expect(isLimited(query)).toBe(expected);
});
