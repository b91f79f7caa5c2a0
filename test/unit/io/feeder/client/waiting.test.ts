import { afterEach, describe, expect, test } from "bun:test";
import { GATEWAY_LIMITS } from "#io/feeder/index.ts";
import { retryAfterMs } from "#io/http/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  type AnsweringGateway,
  answeringGateway,
  gatewayClient,
  json,
} from "#test/helpers/gateway-servers.ts";

let gateway: AnsweringGateway;
afterEach(() => gateway.stop());

const REFERENCE = { block_hash: "0xabc", block_number: 7 };
const reference = () => json(REFERENCE);

/** Lets in-flight work proceed as far as it can without the clock. */
const settle = () => Bun.sleep(3);

describe("GatewayClient without a response", () => {
  test("retries for two hours at most every ten seconds and recovers with the network", async () => {
    gateway = answeringGateway(reference);
    await gateway.stop();
    const timer = new FakeTimer();
    const asked: number[] = [];
    const { client } = gatewayClient([gateway.url], {
      timer,
      onRequestEnded: () => asked.push(timer.nowMs()),
    });
    const answer = client.head();
    while (timer.nowMs() < 7_200_000) {
      const before = asked.length;
      while (asked.length === before) await new Promise(setImmediate);
      await Promise.resolve();
      await new Promise(setImmediate);
      timer.advance(Math.min(10_000, 250 * 2 ** before));
    }
    const pauses = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
    expect(pauses.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
    expect(new Set(pauses.slice(6))).toEqual(new Set([10_000]));
    gateway = answeringGateway(reference, gateway.port);
    const ringing = setInterval(() => timer.advance(10_000), 5);
    expect(await answer).toEqual({ number: 7, hash: 0xabcn });
    clearInterval(ringing);
    await settle();
    // No alarm is left behind.
    expect(timer.alarms).toBe(0);
  });

  test("waits as long as a rate-limiting gateway demands, at most a minute", async () => {
    for (const [header, waitMs] of [
      ["7", 7_000],
      ["60", 60_000],
      ["999999", 60_000],
      ["nonsense", 250],
      ["0", 250],
      ["Sat, 01 Jan 2000 00:00:00 GMT", 250],
    ] as const) {
      gateway = answeringGateway(() => json({}, 429, { "retry-after": header }));
      const timer = new FakeTimer();
      const { client, reports } = gatewayClient([gateway.url], { timer });
      const answer = client.wholeBlock(1);
      while (reports.length < 1) await settle();
      expect(reports[0]?.outcome).toBe("throttled");
      timer.advance(waitMs - 1);
      await settle();
      expect(gateway.asked).toHaveLength(1);
      gateway.answer = reference;
      timer.advance(1);
      expect(await answer).toBeDefined();
      expect(gateway.asked).toHaveLength(2);
      await gateway.stop();
    }
  });

  test("survives a minute of 429 without a burst of retries", async () => {
    gateway = answeringGateway(() => json({}, 429, { "retry-after": "10" }));
    const timer = new FakeTimer();
    const { client, reports } = gatewayClient([gateway.url], { timer });
    const answers = Promise.all(Array.from({ length: 100 }, (_, i) => client.wholeBlock(i)));
    /** Waits until each request of a round has been reported, or nothing has happened for half a second. */
    const roundEnded = async (): Promise<void> => {
      for (let quiet = 0; quiet < 25;) {
        const before = [gateway.asked.length, reports.length].join();
        await Bun.sleep(20);
        quiet = before === [gateway.asked.length, reports.length].join() ? quiet + 1 : 0;
        if (quiet > 0 && reports.length >= Math.max(1, gateway.asked.length)) return;
      }
    };
    for (let second = 0; second < 60; second += 10) {
      await roundEnded();
      timer.advance(10_000);
    }
    // All requests in the first round, half as many in each later one.
    expect(reports.length).toBeLessThanOrEqual(32 + 16 + 8 + 4 + 2 + 1 + 1);
    gateway.answer = reference;
    const ringing = setInterval(() => timer.advance(1_000), 5);
    expect((await answers).length).toBe(100);
    clearInterval(ringing);
  });

  test("uses another gateway while one is rate-limiting", async () => {
    gateway = answeringGateway(() => json({}, 429, { "retry-after": "30" }));
    const other = answeringGateway(reference);
    const timer = new FakeTimer();
    const { client } = gatewayClient([gateway.url, other.url], { timer });
    for (let i = 0; i < 3; i++) expect(await client.head()).toMatchObject({ number: 7 });
    expect([gateway.asked.length, other.asked.length]).toEqual([1, 3]);
    timer.advance(30_000);
    await client.head();
    expect(gateway.asked.length).toBe(2);
    await other.stop();
  });

  test("halves its requests in flight on timeouts and raises them on responses", async () => {
    let open = 0;
    let most = 0;
    let isHanging = true;
    gateway = answeringGateway(async () => {
      if (isHanging) await new Promise(() => undefined);
      most = Math.max(most, ++open);
      await Bun.sleep(2);
      open--;
      return new Response("{}");
    });
    const timer = new FakeTimer();
    const { client } = gatewayClient([gateway.url], { timer });
    const answers = Promise.all(Array.from({ length: 400 }, (_, i) => client.wholeBlock(i)));
    let asked = 0;
    for (const inFlight of [32, 16, 8, 4, 2, 1, 1]) {
      asked += inFlight;
      while (gateway.asked.length < asked) await settle();
      await Bun.sleep(10);
      expect(gateway.asked).toHaveLength(asked);
      timer.advance(15_000);
    }
    isHanging = false;
    const ringing = setInterval(() => timer.advance(1_000), 5);
    await answers;
    clearInterval(ringing);
    expect(most).toBeGreaterThan(8);
    expect(most).toBeLessThanOrEqual(32);
  });

  test("waits for a body that arrives in pieces until its deadline", async () => {
    let body: ReadableStreamDefaultController<string> | undefined;
    gateway = answeringGateway(
      () =>
        new Response(
          new ReadableStream<string>({ start: (controller) => void (body = controller) }),
        ),
    );
    const timer = new FakeTimer();
    // Three pieces may be late on a busy machine; the whole takes longer than the silence that is allowed.
    const limits = { silenceMs: 35_000, answerMs: 60_000 };
    const { client } = gatewayClient([gateway.url], { timer, limits });
    const answer = client.wholeBlock(1);
    while (body === undefined) await settle();
    for (let i = 0; i < 4; i++) {
      body.enqueue("12");
      await Bun.sleep(100);
      timer.advance(10_000);
    }
    body.close();
    expect(new TextDecoder().decode(await answer)).toBe("12121212");
    expect(gateway.asked).toHaveLength(1);
  });

  test.each(["head", "wholeBlock"] as const)(
    "reports %s as overdue before it ends",
    async (route) => {
      gateway = answeringGateway(() => new Promise(() => undefined));
      const timer = new FakeTimer();
      const { client, reports, stop } = gatewayClient([gateway.url], { timer });
      const answer = client[route](1).catch(() => "ended");
      while (gateway.asked.length === 0) await settle();
      timer.advance(GATEWAY_LIMITS.overdueMs - 1);
      expect(reports).toEqual([]);
      timer.advance(1);
      expect(reports).toMatchObject([{ outcome: "overdue", url: `${gateway.url}/feeder_gateway` }]);
      expect(reports[0]?.failure).toContain("no complete response to");
      stop.abort();
      expect(await answer).toBe("ended");
      expect(timer.alarms).toBe(0);
    },
  );

  test("reports how long it is going to wait", async () => {
    gateway = answeringGateway(() => json({}, 429, { "retry-after": "7" }));
    const { client, reports, stop } = gatewayClient([gateway.url], { timer: new FakeTimer() });
    const answer = client.head().catch(() => "ended");
    while (reports.length === 0) await settle();
    expect(reports[0]).toMatchObject({ outcome: "throttled", retryAfterMs: 7_000 });
    stop.abort();
    await answer;
  });

  test("requests the head while block requests hang", async () => {
    gateway = answeringGateway((request) =>
      request.url.includes("get_state_update") ? new Promise(() => undefined) : reference(),
    );
    const { client, stop } = gatewayClient([gateway.url]);
    const hanging = Array.from({ length: 64 }, (_, i) => client.wholeBlock(i).catch(() => "ended"));
    for (let i = 0; i < 5; i++) expect(await client.head()).toMatchObject({ number: 7 });
    stop.abort();
    await Promise.all(hanging);
  });

  test("requests a block that hangs from another gateway", async () => {
    gateway = answeringGateway((request) =>
      request.url.includes("get_state_update?blockNumber=5&")
        ? new Promise(() => undefined)
        : reference(),
    );
    const other = answeringGateway(reference);
    const { client } = gatewayClient([gateway.url, other.url], { limits: { silenceMs: 100 } });
    const answers = await Promise.all([4, 5, 6].map((number) => client.wholeBlock(number)));
    expect(answers.every((answer) => answer !== undefined)).toBe(true);
    expect(other.asked.some((path) => path.includes("=5&"))).toBe(true);
    await other.stop();
  });
});

describe("retryAfterMs", () => {
  const NOW = Date.UTC(2026, 0, 1);

  test.each([
    ["0", 0],
    [" 12 ", 12_000],
    ["999999999", 999_999_999_000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Thu, 01 Jan 2020 00:00:30 GMT", 0],
  ])("parses %p as %i ms", (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });

  test.each([null, "", "-1", "1.5", "1e3", "9999999999", "soon", "0x10"])(
    "ignores %p",
    (header) => {
      expect(retryAfterMs(header, NOW)).toBeUndefined();
    },
  );
});
