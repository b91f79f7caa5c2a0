import { describe, expect, test } from "bun:test";
import { RateLimiter } from "#api/rpc/index.ts";
import { explorerApi, REJECTED } from "#test/helpers/explorer-api.ts";
import { explorerBlock } from "#test/helpers/explorer-blocks.ts";

const BLOCKS = [explorerBlock(0, [])];
const PRIME = "0x800000000000011000000000000000000000000000000000000000000000001";

describe("a wrong parameter is answered with 400 and what was expected", () => {
  test.each([
    ["declared?limit=0", 'limit: expected an integer from 1 to 100; got "0"'],
    ["blocks?transactions=101", 'transactions: expected an integer from 0 to 100; got "101"'],
    ["blocks?after=1-2", 'after: expected "next" of an earlier page; got "1-2"'],
    ["declared?limit=101", 'limit: expected an integer from 1 to 100; got "101"'],
    ["declared?limit=1e1", 'limit: expected an integer from 1 to 100; got "1e1"'],
    ["declared?limit=", 'limit: expected an integer from 1 to 100; got ""'],
    ["declared?after=1-2", 'after: expected "next" of an earlier page; got "1-2"'],
    ["declared?after=x", 'after: expected "next" of an earlier page; got "x"'],
    [
      `declared?after=${"9".repeat(16)}-1-1`,
      `after: expected "next" of an earlier page; got "${"9".repeat(16)}-1-1"`,
    ],
    ["declared?sender=0x1", '"sender": unknown parameter; expected: limit, after'],
    ["status?limit=1", '"limit": unknown parameter; expected: none'],
    ["declared?limit=1&limit=2", "limit: expected once"],
    ["transfers", "expected the parameter holder, token, or both"],
    ["contracts", "class: required"],
    ["transactions", "expected one of the parameters sender and contract"],
    ["transactions?sender=0x1&contract=0x1", "expected one of the parameters sender and contract"],
    [
      "transfers?holder=1",
      'holder: expected 0x and at most 64 hexadecimal digits, below the field\'s prime; got "1"',
    ],
    [
      `transfers?holder=${PRIME}`,
      `holder: expected 0x and at most 64 hexadecimal digits, below the field's prime; got "${PRIME}"`,
    ],
    [
      "transfers?holder=0x1&token=%22",
      'token: expected 0x and at most 64 hexadecimal digits, below the field\'s prime; got "\\""',
    ],
    [`declared?after=${"9".repeat(3_000)}`, "query: expected at most 2048 characters"],
  ])("%s", async (path, message) => {
    using api = await explorerApi(BLOCKS);
    const { status, body } = await api.get(path);
    expect([status, body]).toEqual([400, { error: { message } }]);
  });

  test("quoted at most in part", async () => {
    using api = await explorerApi(BLOCKS);
    const { body } = await api.get(`declared?limit=${"1".repeat(500)}`);
    expect(JSON.stringify(body).length).toBeLessThan(200);
  });
});

test("the status has what the node knows", async () => {
  using api = await explorerApi(BLOCKS);
  const { status, headers, body } = await api.get("status");
  expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
    200,
    "application/json",
    "no-store",
  ]);
  expect(body).toEqual({
    indexed: { from: 0, to: 4 },
    head: 5,
    role: "full node",
    leader: false,
    lag_blocks: 2,
    ready: { is_ready: false, reason: "the source does not respond" },
    l1: { accepted: 3 },
    capacity: { l2_gas_per_block: 5_800_000_000, block_time_ms: null },
    mempool: { waiting: null },
    devnet: false,
    fork: { origin: "https://node.example:443", block_number: 9, block_hash: "0xabc" },
    refused_blocks: null,
    chain_id: "SN_TEST",
    version: "0.7.0",
    fee_tokens: { strk: "0x57", eth: "0xe7" },
  });
});

const REFUSED = {
  block_number: 7,
  block_hash: "0xb7",
  check: "state_root",
  reason: "state_root: expected 0x1, found 0x2",
  source: "gateway.example",
  count: 3,
  unix_ms: 3_000,
};

test("the status has the refused blocks of a node that follows a source", async () => {
  using api = await explorerApi(BLOCKS, { status: { refusedBlocks: REJECTED.blocks } });
  expect((await api.get("status")).body).toMatchObject({ refused_blocks: [REFUSED] });
});

test("rejected transactions and refused blocks are listed", async () => {
  using api = await explorerApi(BLOCKS);
  const { status, body } = await api.get("rejected");
  expect([status, body]).toEqual([
    200,
    {
      transactions: [
        {
          hash: "0xab",
          sender: "0x5e",
          code: "EXPIRED",
          reason: "the transaction waited longer than mempool_ttl",
          was_received: true,
          unix_ms: 2_000,
        },
        {
          hash: null,
          sender: null,
          code: "VALIDATION_FAILURE",
          reason: "wrong signature",
          was_received: false,
          unix_ms: 1_000,
        },
      ],
      blocks: [REFUSED],
    },
  ]);
});

test("other methods than GET are refused", async () => {
  using api = await explorerApi(BLOCKS);
  expect(await api.send("POST", "status")).toEqual({
    status: 405,
    text: "Method not allowed. Use GET.\n",
  });
});

test("requests count against the rate limit of their address", async () => {
  const rateLimiter = new RateLimiter({ perSecond: 1, burst: 2 }, () => 0, 10);
  using api = await explorerApi(BLOCKS, { rateLimiter });
  const statuses = [await api.get("status"), await api.get("declared"), await api.get("status")];
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(statuses[2]?.headers["retry-after"]).toBe("1");
  expect(statuses[2]?.body).toEqual({
    error: { message: "too many calls from this address: try again in 1 s" },
  });
});

test("a foreign host name is refused", async () => {
  using api = await explorerApi(BLOCKS);
  const { status } = await api.send("GET", "status", "rebound.example");
  expect(status).toBe(403);
});

test("a page of a foreign origin gets no header that lets it read the answer", async () => {
  using api = await explorerApi(BLOCKS);
  const { headers } = await api.get("status", { origin: "https://foreign.example" });
  expect(headers["access-control-allow-origin"]).toBeUndefined();
});
