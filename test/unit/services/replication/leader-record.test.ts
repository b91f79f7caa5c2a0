import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError } from "#base/errors/index.ts";
import { decodeLeader, encodeLeader, MAX_LEADER_BYTES } from "#services/replication/index.ts";
import { leaderRecord } from "#test/helpers/leader-records.ts";
import { assertProperty } from "#test/helpers/property.ts";

const hex32 = fc.stringMatching(/^[0-9a-f]{32}$/);
const url = fc
  .tuple(fc.constantFrom("http", "https"), fc.domain(), fc.nat({ max: 65_535 }))
  .map(([scheme, domain, port]) => `${scheme}://${domain}:${port}/`);
const record = fc.record({
  epoch: fc.integer({ min: 0, max: 2 ** 32 }),
  instance: hex32,
  run: hex32,
  counter: fc.nat(),
  newestBlock: fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }),
  gatewayUrl: fc.option(url),
  hasStopped: fc.boolean(),
});

/** A stored record with changed members. */
const changed = (members: Readonly<Record<string, unknown>>): Uint8Array => {
  const stored = JSON.parse(new TextDecoder().decode(encodeLeader(leaderRecord()))) as object;
  return new TextEncoder().encode(JSON.stringify({ ...stored, ...members }));
};

describe("the stored leader record", () => {
  test("round-trips within its size limit", () => {
    assertProperty(
      fc.property(record, (leader) => {
        const bytes = encodeLeader(leader);
        expect(bytes.length).toBeLessThanOrEqual(MAX_LEADER_BYTES);
        expect(decodeLeader(bytes)).toEqual(leader);
      }),
    );
  });

  test.each([
    ["an epoch above the maximum", { epoch: 2 ** 32 + 1 }],
    ["an epoch below the minimum", { epoch: -1 }],
    ["an epoch of another type", { epoch: "1" }],
    ["a name with invalid digits", { instance: "x".repeat(32) }],
    ["a name that is too long", { run: "0".repeat(33) }],
    ["a negative counter", { counter: -5 }],
    ["a negative block number", { newest_block: -2 }],
    ["a gateway with another URL scheme", { gateway_url: "file:///etc/passwd" }],
    ["a gateway with spaces", { gateway_url: "http://a b" }],
    ["a gateway that is too long", { gateway_url: `http://${"a".repeat(3_000)}` }],
    ["a gateway of nested lists", { gateway_url: [[[[]]]] }],
    ["no stopped flag", { stopped: null }],
  ])("is rejected with %s", (_, members) => {
    expect(() => decodeLeader(changed(members))).toThrow(DecodeError);
  });

  test("is rejected if malformed", () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => decodeLeader(bytes)).toThrow(DecodeError);
      }),
    );
  });
});
