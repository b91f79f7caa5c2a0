import { describe, expect, test } from "bun:test";
import { MAX_METHOD_LIMITS } from "#api/rpc/index.ts";
import { DEADLINE_MS } from "#app/node/query/query-job.ts";
import { run, startedWith } from "./run.ts";
import { CONNECTION_LIMITS, METHOD_LIMITS } from "#test/helpers/serving.ts";

describe("a node", () => {
  test("accepts the limits of the JSON-RPC server, and has defaults for each", async () => {
    expect((await startedWith(["sequencer", "--preset", "devnet"])).rpc).toMatchObject({
      connections: CONNECTION_LIMITS,
      methods: METHOD_LIMITS,
      timeoutMs: DEADLINE_MS,
      maxBatch: 1_024,
      rateLimit: null,
    });
    const given = await startedWith([
      ..."sequencer --preset devnet --rpc-max-connections 7 --max-steps 1000 --warm-up-transfers 0".split(
        " ",
      ),
      ..."--rpc-max-connections-per-address 3 --rpc-timeout 1500ms --rpc-rate-limit 20".split(" "),
      ..."--rpc-max-events-chunk 100000 --rpc-max-event-keys 1".split(" "),
      ..."--rpc-max-transactions 1000 --rpc-max-proof-keys 10000".split(" "),
    ]);
    expect(given).toMatchObject({
      maxSteps: 1000,
      warmUpTransfers: 0,
      rpc: {
        connections: { max: 7, maxPerAddress: 3 },
        timeoutMs: 1500,
        rateLimit: { perSecond: 20, burst: 100 },
        methods: {
          maxEventsChunk: 100_000,
          maxEventKeys: 1,
          maxTransactions: 1000,
          maxProofKeys: 10_000,
        },
      },
    });
  });

  test.each([
    ["--rpc-max-connections", "0"],
    ["--rpc-max-connections", "65536"],
    ["--rpc-timeout", "0s"],
    ["--rpc-timeout", "3601s"],
    ["--rpc-rate-limit", "-1"],
    ["--rpc-max-events-chunk", String(MAX_METHOD_LIMITS.maxEventsChunk + 1)],
    ["--rpc-max-event-keys", String(MAX_METHOD_LIMITS.maxEventKeys + 1)],
    ["--rpc-max-transactions", String(MAX_METHOD_LIMITS.maxTransactions + 1)],
    ["--rpc-max-proof-keys", String(MAX_METHOD_LIMITS.maxProofKeys + 1)],
    ["--max-steps", "0"],
    ["--warm-up-transfers", "10001"],
    ["--rpc-rate-burst", "5"],
  ])("refuses %s %s and names it", async (flag, value) => {
    const { code, err } = await run([..."sequencer --preset devnet".split(" "), flag, value]);
    expect([code, err]).toEqual([2, expect.stringContaining(flag)]);
  });
});
