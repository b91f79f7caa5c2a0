import { describe, expect, test } from "bun:test";
import { endpointOf } from "#io/http/index.ts";
import { RpcChannel } from "#io/l1/endpoint/rpc-channel.ts";
import { L1_LIMITS } from "#io/l1/limits.ts";
import { describeError } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const SECRETS = ["user-name", "pass%20word", "pass word", "0123456789abcdef", "query-key"];

function channel(port: number, timer = new FakeTimer(), limits = {}) {
  const url = `http://user-name:pass%20word@127.0.0.1:${port}/v3/0123456789abcdef?key=query-key`;
  const address = endpointOf(url, []);
  if (address === undefined) throw new TypeError("no address");
  const { signal } = new AbortController();
  return new RpcChannel({
    address,
    limits: { ...L1_LIMITS, answerMs: 300, ...limits },
    timer,
    signal,
  });
}

/** Error of one call to a server with this handler. */
async function failure(answer: () => Response | Promise<Response>): Promise<unknown> {
  using server = Bun.serve({ port: 0, fetch: answer });
  const asking = channel(server.port ?? 0).call("eth_x", [], 1000);
  const cause = await asking.catch((error: unknown) => error);
  void server.stop(true);
  return cause;
}

describe("the error of an endpoint", () => {
  const secrets = SECRETS.join(" ");
  const cases: Readonly<Record<string, readonly [string, () => Response | Promise<Response>]>> = {
    "a status": ["unreachable", () => new Response(secrets, { status: 500, statusText: secrets })],
    "no JSON": ["nonsense", () => new Response(`<html>${secrets}`)],
    "JSON of something else": ["nonsense", () => Response.json([secrets])],
    "an error": ["refused", () => Response.json({ error: { code: 1, message: secrets } })],
    "an error with a status": [
      "refused",
      () => Response.json({ error: { code: 1, message: secrets } }, { status: 400 }),
    ],
    "a redirect": ["nonsense", () => Response.redirect(`http://127.0.0.1:1/${secrets}`)],
    "413": ["too_long", () => new Response("", { status: 413 })],
    "an answer that is too long": ["too_long", () => new Response("x".repeat(2000))],
    "another encoding": [
      "nonsense",
      () => new Response("x", { headers: { "content-encoding": "br" } }),
    ],
    "no answer": ["timeout", () => new Promise<Response>(() => undefined)],
    "too many requests": [
      "throttled",
      () => new Response(secrets, { status: 429, headers: { "retry-after": "100" } }),
    ],
  };
  for (const [what, [kind, answer]] of Object.entries(cases)) {
    test(`for ${what} has a kind and hides keys of the address`, async () => {
      const cause = await failure(answer);
      expect(cause).toMatchObject({ kind, retryable: true });
      for (const secret of SECRETS) expect(describeError(cause)).not.toContain(secret);
    });
  }

  test("for a refused connection hides keys of the address", async () => {
    const cause = await channel(1)
      .call("eth_x", [], 1000)
      .catch((error: unknown) => error);
    expect(cause).toMatchObject({ kind: "unreachable" });
    for (const secret of SECRETS) expect(Bun.inspect(cause)).not.toContain(secret);
  });

  test("is one line with the beginning of the message", async () => {
    const message = `a\n\u001b[31mb${"x".repeat(700)}`;
    const cause = await failure(() => Response.json({ error: { code: -32_000, message } }));
    const { message: shown } = cause as Error;
    expect(shown).toContain("refuses eth_x (-32000): a [31mbxxx");
    expect(shown.length).toBeLessThan(400);
  });
});

describe("a rate-limiting endpoint", () => {
  test("is retried after its Retry-After, a few times", async () => {
    let count = 0;
    const answers = [429, 429, 200];
    using server = Bun.serve({
      port: 0,
      fetch() {
        const status = answers[count++] ?? 200;
        return status === 200
          ? Response.json({ result: "0x5" })
          : new Response("", { status, headers: { "retry-after": "2" } });
      },
    });
    const timer = new FakeTimer();
    const asking = channel(server.port ?? 0, timer).call("eth_x", [], 1000);
    for (let i = 0; i < 2; i++) {
      while (timer.alarms === 0) await Bun.sleep(2);
      timer.advance(1999);
      expect(count).toBe(i + 1);
      timer.advance(1);
    }
    expect(await asking).toBe("0x5");
  });

  test("fails the request after the maximum wait", async () => {
    let count = 0;
    using server = Bun.serve({
      port: 0,
      fetch() {
        count++;
        return Response.json({ error: { code: -32_005, message: "request rate exceeded" } });
      },
    });
    const timer = new FakeTimer();
    const asking = channel(server.port ?? 0, timer, { maxThrottleMs: 600 }).call("eth_x", [], 1000);
    while (timer.alarms === 0) await Bun.sleep(2);
    timer.advance(500);
    expect(asking).rejects.toMatchObject({ kind: "throttled" });
    await asking.catch(() => undefined);
    expect(count).toBe(2);
  });
});

describe("RpcChannel", () => {
  test("limits the requests in flight", async () => {
    let now = 0;
    let most = 0;
    using server = Bun.serve({
      port: 0,
      async fetch() {
        most = Math.max(most, ++now);
        await Bun.sleep(5);
        now--;
        return Response.json({ result: 1 });
      },
    });
    const { call } = { call: channel(server.port ?? 0, undefined, { maxInFlight: 3 }) };
    await Promise.all(Array.from({ length: 20 }, () => call.call("eth_x", [], 1000)));
    expect(most).toBe(3);
  });
});
