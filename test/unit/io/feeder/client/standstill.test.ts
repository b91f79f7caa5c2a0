import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { GATEWAY_LIMITS } from "#io/feeder/index.ts";
import { Standstill } from "#io/feeder/client/standstill.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  type AnsweringGateway,
  answeringGateway,
  fault,
  gatewayClient,
  json,
} from "#test/helpers/gateway-servers.ts";

const { standstillMs, laggingMs, distrustMs } = GATEWAY_LIMITS;

const at = (number: number) => () => json({ block_hash: "0x1", block_number: number });

let gateways: AnsweringGateway[];
beforeEach(() => {
  gateways = [answeringGateway(at(7)), answeringGateway(at(7)), answeringGateway(at(7))];
});
afterEach(() => Promise.all(gateways.map((each) => each.stop())));

function world() {
  const timer = new FakeTimer();
  const { client } = gatewayClient(
    gateways.map(({ url }) => url),
    { timer },
  );
  return {
    client,
    timer,
    head: async () => (await client.head())?.number,
    /** Lets the standstill period pass; resolves after the other gateways have responded. */
    async standStill() {
      timer.advance(standstillMs);
      const before = gateways.map(({ asked }) => asked.length);
      const told = await client.head();
      const isAsked = () => gateways.some(({ asked }, i) => asked.length > (before[i] ?? 0) + 1);
      for (let i = 0; i < 100 && !isAsked(); i++) await Bun.sleep(1);
      await Bun.sleep(30);
      return told?.number;
    },
  };
}

const answers = (answer: AnsweringGateway["answer"], index: number): void => {
  const gateway = gateways[index];
  if (gateway !== undefined) gateway.answer = answer;
};
const askedOf = () => gateways.map(({ asked }) => asked.length);

test("Standstill reports an unchanged head once per period", () => {
  const timer = new FakeTimer();
  const standstill = new Standstill(timer, 10);
  const told = (afterMs: number, number: number): boolean => {
    timer.advance(afterMs);
    return standstill.record(number);
  };
  expect([told(50, 1), told(9, 1), told(1, 1), told(9, 1), told(1, 0), told(9, 1)]).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ]);
  expect([told(5, 2), told(9, 2), told(1, 2)]).toEqual([false, false, true]);
});

describe("GatewayClient whose first gateway stalls", () => {
  test("follows a gateway with newer blocks until that one stalls too", async () => {
    const { head, standStill, timer } = world();
    expect(await head()).toBe(7);
    answers(at(9), 1);
    timer.advance(standstillMs - 1);
    expect(await head()).toBe(7);
    expect(askedOf()).toEqual([2, 0, 0]);
    expect(await standStill()).toBe(7);
    expect(await head()).toBe(9);
    answers(at(12), 0);
    expect(await standStill()).toBe(9);
    expect(await head()).toBe(12);
  });

  test("returns to the first gateway after a while", async () => {
    const { head, standStill, timer } = world();
    expect(await head()).toBe(7);
    answers(at(9), 1);
    await standStill();
    expect(await head()).toBe(9);
    answers(at(10), 0);
    timer.advance(laggingMs);
    expect(await head()).toBe(10);
  });

  test("keeps the first gateway unless another has newer blocks for longer", async () => {
    const { head, standStill } = world();
    expect(await head()).toBe(7);
    expect(await standStill()).toBe(7);
    let asked = 0;
    // The first request is part of the comparison, the second follows it.
    answers(() => at(++asked < 3 ? 7 : 8)(), 0);
    answers(at(8), 1);
    expect(await standStill()).toBe(7);
    const before = gateways[1]?.asked.length;
    expect(await head()).toBe(8);
    expect(gateways[1]?.asked.length).toBe(before as number);
  });

  test("ignores other gateways that fail or respond with an error", async () => {
    const { head, standStill } = world();
    expect(await head()).toBe(7);
    answers(() => new Response("<html>"), 1);
    answers(() => fault("BLOCK_NOT_FOUND"), 2);
    expect(await standStill()).toBe(7);
    expect(await head()).toBe(7);
    await gateways[2]?.stop();
    expect(await standStill()).toBe(7);
    expect(await head()).toBe(7);
  });

  test("leaves a gateway whose newer blocks turn out to be false", async () => {
    const { client, head, standStill, timer } = world();
    expect(await head()).toBe(7);
    answers(at(1_000_000), 2);
    await standStill();
    expect(await head()).toBe(1_000_000);
    client.distrust(undefined);
    expect(await head()).toBe(7);
    // Distrust has expired, so the gateway is a candidate again.
    timer.advance(distrustMs);
    expect(await head()).toBe(7);
  });
});

test("GatewayClient with a single gateway compares it with no other", async () => {
  const timer = new FakeTimer();
  const { client } = gatewayClient([gateways[0]?.url ?? ""], { timer });
  for (let i = 0; i < 3; i++) {
    await client.head();
    timer.advance(standstillMs);
  }
  await Bun.sleep(20);
  expect(askedOf()).toEqual([3, 0, 0]);
});

test("GatewayClient skips a gateway that does not report its newest block", async () => {
  const limits = { headSilenceMs: 50 };
  answers(() => new Promise<Response>(() => undefined), 0);
  const { client } = gatewayClient(
    gateways.map(({ url }) => url),
    { limits },
  );
  expect(await client.head()).toMatchObject({ number: 7 });
});
