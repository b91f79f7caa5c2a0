import { describe, expect, test } from "bun:test";
import { type QueryContext, RateLimiter } from "#api/rpc/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import { fakeTrace } from "#test/helpers/call-info.ts";
import { createFakeChain } from "#test/helpers/fake-chain.ts";
import { explorerApi, type ExplorerApiParts } from "#test/helpers/explorer-api.ts";
import { explorerBlock } from "#test/helpers/explorer-blocks.ts";

const CLASS = 0xc1a55n;
const BLOCKS = [
  explorerBlock(0, [], {
    storageDiffs: new Map([[0xc0n, new Map([[1n, 11n]])]]),
    deployedContracts: new Map([[0xc0n, 0x01dn]]),
  }),
];

const TRANSACTION = {
  type: "INVOKE",
  version: "0x3",
  sender_address: "0x5e",
  calldata: ["0x0"],
  signature: [],
  nonce: "0x0",
  resource_bounds: {
    l1_gas: { max_amount: "0x0", max_price_per_unit: "0x0" },
    l2_gas: { max_amount: "0x0", max_price_per_unit: "0x0" },
    l1_data_gas: { max_amount: "0x0", max_price_per_unit: "0x0" },
  },
  tip: "0x0",
  paymaster_data: [],
  account_deployment_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
};

const BODY = { block_id: { block_number: 0 }, transactions: [TRANSACTION] };

const ESTIMATE = {
  gas: { l1Gas: 0n, l1DataGas: 0n, l2Gas: 7n },
  prices: { l1Gas: 1n, l1DataGas: 1n, l2Gas: 1n },
  overallFee: 7n,
  unit: "FRI",
} as const;

/** An API whose engine notes what it should simulate, and returns a trace without calls. */
async function world(parts: ExplorerApiParts = {}) {
  const states: StateReader[] = [];
  const flags: object[] = [];
  const simulate: QueryContext["tracing"]["simulate"] = (state, _, [first], options) => {
    states.push(state);
    flags.push(options);
    const trace = fakeTrace(first?.transaction ?? expect.unreachable());
    return { kind: "ok", simulations: [{ trace, estimate: ESTIMATE }], initialReads: NO_READS };
  };
  const tracing = { simulate } as QueryContext["tracing"];
  return { states, flags, api: await explorerApi(BLOCKS, { tracing, ...parts }) };
}

const NO_READS = {
  storage: new Map(),
  nonces: new Map(),
  classHashes: new Map(),
  classes: new Map(),
  compiledClassHashes: new Map(),
};

test("a simulation returns trace, fee and the calls of a revert", async () => {
  const { api, flags } = await world();
  using _api = api;
  const { status, body } = await api.post("simulate", {
    ...BODY,
    simulation_flags: ["SKIP_VALIDATE"],
  });
  expect([status, body]).toEqual([
    200,
    {
      trace: expect.objectContaining({ type: "INVOKE" }),
      reverted: null,
      fee_estimation: expect.objectContaining({ overall_fee: "0x7", unit: "FRI" }),
    },
  ]);
  expect(flags).toEqual([{ skipValidate: true, skipFeeCharge: false }]);
});

test("a contract runs the class that overrides its own", async () => {
  const executables = new Map([[CLASS, {} as ExecutableClass]]);
  const { api, states } = await world({ chain: createFakeChain(BLOCKS, { executables }) });
  using _api = api;
  const overrides = { classes: [{ contract_address: "0xc0", class_hash: "0xc1a55" }] };
  expect((await api.post("simulate", { ...BODY, overrides })).status).toBe(200);
  expect([0xc0n, 0xc1n].map((address) => states[0]?.classHashAt(address))).toEqual([CLASS, 0n]);
});

test("overrides are what the simulation reads; the rest is that of the block", async () => {
  const { api, states } = await world();
  using _api = api;
  await api.post("simulate", BODY);
  const [before] = states;
  expect([before?.storageAt(0xc0n, 1n), before?.classHashAt(0xc0n)]).toEqual([11n, 0x01dn]);
  const { status } = await api.post("simulate", {
    ...BODY,
    overrides: {
      storage: [
        { contract_address: "0xc0", key: "0x1", value: "0x63" },
        { contract_address: "0xc0", key: "0x2", value: "0x1" },
        { contract_address: "0xc0", key: "0x2", value: "0x2" },
      ],
    },
  });
  expect(status).toBe(200);
  const state = states[1];
  const read = [1n, 2n, 3n].map((key) => state?.storageAt(0xc0n, key));
  expect(read).toEqual([99n, 2n, 0n]);
  expect(state?.classHashAt(0xc0n)).toBe(0x01dn);
});

describe("a wrong request is answered with what was expected", () => {
  const cell = { contract_address: "0xc0", key: "0x1", value: "0x1" };
  test.each<readonly [string, unknown, number, string]>([
    ["no JSON", "{", 400, "body: expected a JSON object"],
    ["a list", [BODY], 400, "body: expected a JSON object"],
    ["no block", { transactions: [TRANSACTION] }, 400, "block_id: expected"],
    [
      "two transactions",
      { ...BODY, transactions: [TRANSACTION, TRANSACTION] },
      400,
      "one transaction",
    ],
    ["an unknown block", { ...BODY, block_id: { block_number: 9 } }, 404, "Block not found"],
    ["an unknown member", { ...BODY, overrides: { balances: [] } }, 400, "overrides.balances"],
    [
      "too many overrides",
      { ...BODY, overrides: { storage: Array.from({ length: 101 }, () => cell) } },
      400,
      "overrides.storage: expected array of at most 100 overrides",
    ],
    [
      "a value that is no felt",
      { ...BODY, overrides: { storage: [{ ...cell, value: "1" }] } },
      400,
      "overrides.storage[0].value",
    ],
    [
      "a class that is not declared",
      { ...BODY, overrides: { classes: [{ contract_address: "0xc0", class_hash: "0xc1a55" }] } },
      404,
      `class 0x${CLASS.toString(16)} is not declared`,
    ],
  ])("%s", async (_, body, status, message) => {
    const { api, states } = await world();
    using _api = api;
    const reply = await api.post("simulate", body);
    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).toContain(message);
    expect(states).toEqual([]);
  });
});

test("a transaction that cannot run is answered with the reason", async () => {
  const simulate = () => ({ kind: "failed", index: 0, reason: "the nonce is wrong" }) as const;
  const tracing = { simulate } as unknown as QueryContext["tracing"];
  const { api } = await world({ tracing });
  using _api = api;
  expect((await api.post("simulate", BODY)).body).toEqual({
    trace: null,
    reverted: null,
    failure: "the nonce is wrong",
  });
});

test("only POST is accepted", async () => {
  const { api } = await world();
  using _api = api;
  expect(await api.send("GET", "simulate")).toEqual({
    status: 405,
    text: "Method not allowed. Use POST.\n",
  });
});

test("a form of a page of another origin is refused", async () => {
  const { api, states } = await world();
  using _api = api;
  const { status, body } = await api.post("simulate", BODY, {
    origin: "https://foreign.example",
    "content-type": "text/plain",
  });
  expect([status, body]).toEqual([
    403,
    { error: { message: "pages of this origin may not call this node" } },
  ]);
  expect(states).toEqual([]);
});

test("simulations count against the rate limit of their address", async () => {
  const rateLimiter = new RateLimiter({ perSecond: 1, burst: 1 }, () => 0, 10);
  const { api } = await world({ rateLimiter });
  using _api = api;
  const statuses = [await api.post("simulate", BODY), await api.post("simulate", BODY)];
  expect(statuses.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual([
    [200, undefined],
    [429, "1"],
  ]);
});
