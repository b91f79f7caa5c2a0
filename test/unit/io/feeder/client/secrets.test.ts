import { afterAll, describe, expect, test } from "bun:test";
import { createGatewayClient, GATEWAY_LIMITS } from "#io/feeder/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { startKeyEcho } from "#test/helpers/key-echo.ts";

const KEY = "GwSecret000000001";
const HEADER = "GwSecret000000002";
const QUICK = { silenceMs: 200, overdueMs: 100, submitMs: 400, lookupMs: 400 };

const echo = startKeyEcho();
afterAll(() => echo[Symbol.dispose]());

/** Sends requests to a gateway and returns everything that is reported about them. */
async function toldOf(address: string): Promise<string> {
  const told: unknown[] = [];
  const end = new AbortController();
  const client = createGatewayClient({
    gateways: [{ feeder: `${address}/feeder_gateway`, gateway: `${address}/gateway` }],
    throttlingKey: HEADER,
    limits: { ...GATEWAY_LIMITS, ...QUICK },
    timer: SYSTEM_TIMER,
    signal: end.signal,
    onRequestEnded: (asked) => told.push(asked),
  });
  told.push(await client.addTransaction("{}", false), await client.transactionStatus(7n));
  end.abort();
  return Bun.inspect(told);
}

describe("reports about a failing gateway hide its keys:", () => {
  for (const [i, address] of echo.addresses(KEY).entries()) {
    test(`failure ${i}`, async () => {
      const told = await toldOf(address);
      expect(told).toContain("127.0.0.1");
      for (const key of [KEY, HEADER, btoa(`${KEY}:${KEY}`)]) {
        expect(told.toLowerCase()).not.toContain(key.toLowerCase());
      }
    });
  }
});
