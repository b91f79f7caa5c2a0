import { describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { fakePending, fakeReceipt } from "#test/helpers/fake-chain.ts";
import { errorOf, resultOf, specTest, VERSIONS } from "#test/helpers/rpc.ts";
import {
  CONTRACT,
  emptyContext,
  PENDING_TX_HASH,
  SAMPLE_CHAIN,
  sampleContext,
} from "#test/helpers/sample-chain.ts";
import { errorObject, NO_BLOCK, testBadParams } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const FILTER = { chunk_size: 10 };
const PENDING_EVENTS = [
  { fromAddress: CONTRACT, keys: [1n, 2n], data: [] },
  { fromAddress: 0xc1n, keys: [], data: [4n] },
];
const view = fakePending(SAMPLE_CHAIN, {
  receipts: [fakeReceipt({ transactionHash: PENDING_TX_HASH, events: PENDING_EVENTS })],
});
const withPending = sampleContext({ pending: () => view });

/** Result for a filter. */
function events(filter: JsonValue, context?: FullContext, version?: string): Promise<unknown> {
  return resultOf("getEvents", { filter }, context, version);
}

/** Event of the sample chain, in block 0. */
const ACCEPTED = {
  from_address: "0xc0",
  keys: ["0x1"],
  data: ["0x2", "0x3"],
  block_hash: "0xb10c0",
  block_number: 0,
  transaction_hash: "0x102",
};
const INDEXES = { transaction_index: 2, event_index: 0 };

/** Second event of the pre-confirmed block. */
const PRE_CONFIRMED_EVENT = {
  from_address: "0xc1",
  keys: [],
  data: ["0x4"],
  transaction_hash: "0x300",
};

test("returns the events of accepted blocks by default", async () => {
  expect(await events(FILTER)).toEqual({ events: [{ ...ACCEPTED, ...INDEXES }] });
  expect(await events(FILTER, withPending)).toEqual({ events: [{ ...ACCEPTED, ...INDEXES }] });
});

test("omits the token on the last page", async () => {
  expect(await events({ ...FILTER, chunk_size: 1 })).not.toHaveProperty("continuation_token");
});

describe("events of the pre-confirmed block", () => {
  const filter = { ...FILTER, from_block: "pre_confirmed", to_block: "pre_confirmed" };

  test("have a block number and no block hash", async () => {
    expect(await events(filter, withPending)).toMatchObject({
      events: [
        { transaction_index: 0, event_index: 0 },
        { ...PRE_CONFIRMED_EVENT, block_number: 2, transaction_index: 0, event_index: 1 },
      ],
    });
    expect(JSON.stringify(await events(filter, withPending))).not.toContain("block_hash");
  });

  test("follow those of accepted blocks", async () => {
    const answer = await events({ ...filter, from_block: { block_number: 0 } }, withPending);
    expect(answer).toMatchObject({
      events: [{ block_number: 0 }, { block_number: 2 }, { block_number: 2 }],
    });
  });
});

test("returns events page by page", async () => {
  const filter = { chunk_size: 2, to_block: "pre_confirmed" };
  const first = (await events(filter, withPending)) as Record<string, string>;
  const { continuation_token = "" } = first;
  expect(first["events"]).toHaveLength(2);
  expect(await events({ ...filter, continuation_token }, withPending)).toEqual({
    events: [{ ...PRE_CONFIRMED_EVENT, block_number: 2, transaction_index: 0, event_index: 1 }],
  });
});

for (const [what, filter, count] of [
  ["an address", { address: "0xc1" }, 1],
  ["a padded address", { address: "0x00c1" }, 1],
  ["one of several addresses", { address: ["0xc0", "0xc1"] }, 3],
  ["any address for an empty list", { address: [] }, 3],
  ["an unknown address", { address: "0xc2" }, 0],
  ["a key", { keys: [["0x1"]] }, 2],
  ["a second key", { keys: [[], ["0x2"]] }, 1],
  [
    "one of several keys",
    {
      keys: [
        ["0x9", "0x1"],
        ["0x2", "0x3"],
      ],
    },
    1,
  ],
  ["any keys", { keys: [[], []] }, 3],
  ["any values for null members", { keys: null, address: null, continuation_token: null }, 3],
] as const satisfies readonly (readonly [string, JsonValue, number])[]) {
  test(`finds events with ${what}`, async () => {
    const query: JsonValue = { ...FILTER, to_block: "pre_confirmed", ...filter };
    const { events: found } = (await events(query, withPending)) as { events: unknown[] };
    expect(found).toHaveLength(count);
  });
}

describe("getEvents versions", () => {
  const eventsIn = (version: string, tag: string) =>
    events({ ...FILTER, to_block: tag }, withPending, version);
  const number = { block_number: 2 };

  test("0.10.2 has indexes", async () => {
    const indexes = { transaction_index: 0, event_index: 1 };
    expect(await eventsIn("0.10.2", "pre_confirmed")).toMatchObject({
      events: [{ ...ACCEPTED, ...INDEXES }, {}, { ...PRE_CONFIRMED_EVENT, ...number, ...indexes }],
    });
  });

  test("0.9.0 has no indexes", async () => {
    expect(await eventsIn("0.9.0", "pre_confirmed")).toEqual({
      events: [ACCEPTED, expect.anything(), { ...PRE_CONFIRMED_EVENT, ...number }],
    });
  });

  for (const version of ["0.8.1", "0.7.1"]) {
    test(`${version} has a pending event without a block`, async () => {
      expect(await eventsIn(version, "pending")).toEqual({
        events: [ACCEPTED, expect.anything(), PRE_CONFIRMED_EVENT],
      });
    });
  }

  for (const version of VERSIONS.slice(1)) {
    test(`${version} accepts only one address`, async () => {
      const filter = { ...FILTER, address: ["0xc0"] };
      expect(await errorOf("getEvents", { filter }, withPending, version)).toMatchObject({
        code: -32602,
        data: { path: "filter.address" },
      });
    });
  }
});

describe("filter limits", () => {
  const sized = async (parts: JsonObject) =>
    errorOf("getEvents", { filter: { ...FILTER, ...parts } });
  const keys = (count: number) => Array.from({ length: count }, () => "0x1");

  test("allow at most 1024 events per page", async () => {
    expect(await events({ chunk_size: 1024 })).toHaveProperty("events");
    for (const [chunk_size, text] of [
      [1025, "1025"],
      [2n ** 64n - 1n, "18446744073709552000"],
    ] as const) {
      expect(await sized({ chunk_size })).toEqual({
        ...errorObject("PAGE_SIZE_TOO_BIG"),
        data: `filter.chunk_size: at most 1024, not ${text}`,
      });
    }
  });

  test("allow at most 1024 key positions and alternatives", async () => {
    expect(await events({ ...FILTER, keys: [keys(1023)] })).toHaveProperty("events");
    for (const many of [
      [keys(1024)],
      Array.from({ length: 1025 }, () => []),
      [keys(600), keys(600)],
    ]) {
      expect(await sized({ keys: many })).toMatchObject(errorObject("TOO_MANY_KEYS_IN_FILTER"));
    }
  });

  test("allow at most 1024 addresses", async () => {
    expect(await events({ ...FILTER, address: keys(1024) })).toHaveProperty("events");
    expect(await sized({ address: keys(1025) })).toMatchObject({
      code: -32602,
      data: { path: "filter.address" },
    });
  });
});

for (const member of ["from_block", "to_block"]) {
  test(`responds BLOCK_NOT_FOUND to an unknown hash in ${member}`, async () => {
    expect(await errorOf("getEvents", { filter: { ...FILTER, [member]: NO_BLOCK } })).toEqual(
      errorObject("BLOCK_NOT_FOUND"),
    );
  });

  for (const tag of ["latest", "l1_accepted", "pre_confirmed"]) {
    test(`responds BLOCK_NOT_FOUND to ${tag} in ${member} before the first block`, async () => {
      const params = { filter: { ...FILTER, [member]: tag } };
      expect(await errorOf("getEvents", params, emptyContext())).toEqual(
        errorObject("BLOCK_NOT_FOUND"),
      );
    });
  }

  for (const number of [99, Number.MAX_SAFE_INTEGER, 10n ** 80n, 1e300]) {
    test(`accepts ${number} as ${member}`, async () => {
      const found = member === "to_block" ? [{ ...ACCEPTED, ...INDEXES }] : [];
      const filter: JsonValue = { ...FILTER, [member]: { block_number: number } };
      expect(await events(filter)).toEqual({ events: found });
    });
  }
}

for (const continuation_token of [
  "",
  "0-0",
  "0".repeat(40),
  "0x1",
  "\u{1f600}",
  "a".repeat(100_000),
]) {
  test(`rejects the token ${JSON.stringify(continuation_token.slice(0, 50))}`, async () => {
    expect(await errorOf("getEvents", { filter: { ...FILTER, continuation_token } })).toEqual({
      ...errorObject("INVALID_CONTINUATION_TOKEN"),
      data: "it was not made for this filter on this chain",
    });
  });
}

testBadParams("getEvents", { filter: { from_block: "latest" } }, "filter.chunk_size");
testBadParams("getEvents", { filter: { chunk_size: 0 } }, "filter.chunk_size");
testBadParams("getEvents", { filter: { chunk_size: -1 } }, "filter.chunk_size");
testBadParams("getEvents", { filter: { chunk_size: "5" } }, "filter.chunk_size");
testBadParams("getEvents", { filter: { ...FILTER, to_block: "pending" } }, "filter.to_block");
testBadParams("getEvents", { filter: { ...FILTER, address: ["0x1", 2] } }, "filter.address[1]");
testBadParams("getEvents", { filter: { ...FILTER, address: 2 } }, "filter.address");
testBadParams("getEvents", { filter: { ...FILTER, keys: ["0x1"] } }, "filter.keys[0]");
testBadParams("getEvents", { filter: { ...FILTER, keys: [["0x1", "k"]] } }, "filter.keys[0][1]");
testBadParams(
  "getEvents",
  { filter: { ...FILTER, continuation_token: 1 } },
  "filter.continuation_token",
);
testBadParams("getEvents", { filter: [] }, "filter");
testBadParams("getEvents", {}, "filter");

specTest("getEvents", [
  [{ filter: FILTER }],
  [[FILTER]],
  [{ filter: { ...FILTER, to_block: "pre_confirmed" } }, withPending],
  [{ filter: { ...FILTER, chunk_size: 1, from_block: { block_number: 0 } } }, withPending],
  [{ filter: { ...FILTER, chunk_size: 1001 } }],
  [{ filter: { ...FILTER, continuation_token: "x" } }],
  [{ filter: { ...FILTER, from_block: NO_BLOCK } }],
  [{ filter: { ...FILTER, keys: [Array.from({ length: 1024 }, () => "0x1")] } }],
]);
