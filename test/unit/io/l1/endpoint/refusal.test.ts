import { describe, expect, test } from "bun:test";
import { isThrottling, suggestedBlocks } from "#io/l1/endpoint/refusal.ts";

/** Messages of public providers, with the range in blocks that each suggests. */
const RANGE_TEXTS: readonly (readonly [string, number | undefined])[] = [
  [
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x1180fca, 0x1180fd3]. Upgrade to PAYG for expanded block range.",
    10,
  ],
  [
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0xc5dc00, 0xc614a7]",
    14_504,
  ],
  ["query returned more than 10000 results. Try with this block range [0x12ED3A6, 0x12ED3A9].", 4],
  ["query exceeds max results 20000, retry with the range 24383075-24383096", 22],
  ["eth_getLogs is limited to a 10,000 range", 10_000],
  ["eth_getLogs is limited to a 5 range, upgrade from free tier to paid", 5],
  ["eth_getLogs is limited to 0 - 10000 blocks range", 10_000],
  ["exceed maximum block range: 50000", 50_000],
  ["query exceeds max block range 100000", 100_000],
  ["ranges over 10000 blocks are not supported on freetier", 10_000],
  ["requested too many blocks from 0 to 5000000, maximum is set to 1024", 1024],
  ["query returned more than 10000 results", undefined],
  ["block range is too wide", undefined],
  ["Block range limit exceeded. See more details at https://docs.chainstack.com/docs", undefined],
  ["Response is too big", undefined],
  ["limit exceeded", undefined],
  ["query timeout exceeded", undefined],
  ["this block range should work: [0x20, 0x10]", undefined],
];

describe("suggestedBlocks", () => {
  for (const [message, blocks] of RANGE_TEXTS) {
    test(`reads ${blocks ?? "no range"}: ${message.slice(0, 60)}`, () => {
      expect(suggestedBlocks(message)).toBe(blocks);
      expect(isThrottling(-32_005, message)).toBe(false);
    });
  }

  test("reads a message of any length in constant time", () => {
    const hostile = `max block range ${"9".repeat(5_000_000)}`;
    expect(suggestedBlocks(hostile)).toBeUndefined();
  });
});

describe("isThrottling", () => {
  const texts: readonly (readonly [number, string])[] = [
    [-32_005, "project ID request rate exceeded"],
    [-32_005, "daily request count exceeded, request rate limited"],
    [429, "Your app has exceeded its compute units per second capacity"],
    [-32_007, "50/second request limit reached - reduce calls per second or upgrade"],
    [-32_029, "limit"],
    [-32_090, "Too many requests, reason: call rate limit exhausted"],
  ];
  for (const [code, message] of texts) {
    test(`recognises: ${message}`, () => {
      expect(isThrottling(code, message)).toBe(true);
    });
  }
});
