import { describe, expect, test } from "bun:test";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createPriceOracle } from "#io/l1/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const signal = new AbortController().signal;

/** Rate that an oracle with this handler yields, and the requests it received. */
async function asked(answer: () => Response | Promise<Response>, path = "/node/v1/data/") {
  const requests: { readonly url: URL; readonly apiKey: string | null }[] = [];
  using server = Bun.serve({
    port: 0,
    fetch(request) {
      requests.push({ url: new URL(request.url), apiKey: request.headers.get("x-api-key") });
      return answer();
    },
  });
  const url = `http://127.0.0.1:${server.port}${path}`;
  const oracle = createPriceOracle({ url, apiKey: "secret-key", timer: SYSTEM_TIMER, signal });
  const rate = await oracle.friPerWei().catch((cause: unknown) => cause);
  return { rate, requests };
}

describe("PriceOracle", () => {
  test("requests the price from Pragma with an API key", async () => {
    for (const path of ["/node/v1/data/", "/node/v1/data"]) {
      const { rate, requests } = await asked(
        () => Response.json({ price: "0x5af3107a4000", decimals: 18, num_sources_aggregated: 9 }),
        path,
      );
      // 0.0001 ETH per STRK is 10 000 fri per wei.
      expect(rate).toEqual({ numerator: 10n ** 18n, denominator: 10n ** 14n });
      const [request] = requests;
      expect(request?.url.pathname).toBe("/node/v1/data/strk/eth");
      expect(request?.url.search).toBe("?interval=2h&aggregation=twap");
      expect(request?.apiKey).toBe("secret-key");
    }
  });

  const wrong: Readonly<Record<string, () => Response>> = {
    "a price of 0": () => Response.json({ price: "0x0", decimals: 18 }),
    "a price that is a number": () => Response.json({ price: 5, decimals: 18 }),
    "a negative price": () => Response.json({ price: "-0x5", decimals: 18 }),
    "a price beyond 128 bits": () => Response.json({ price: `0x${"f".repeat(33)}`, decimals: 18 }),
    "no decimals": () => Response.json({ price: "0x5" }),
    "too many decimals": () => Response.json({ price: "0x5", decimals: 1e9 }),
    "half decimals": () => Response.json({ price: "0x5", decimals: 0.5 }),
    "no JSON": () => new Response("<html>"),
    "a status of an error": () => Response.json({ price: "0x5", decimals: 18 }, { status: 500 }),
    "a redirect": () => Response.redirect("http://127.0.0.1:1/"),
    "a megabyte": () => new Response("x".repeat(1 << 20)),
  };
  for (const [what, answer] of Object.entries(wrong)) {
    test(`rejects ${what}`, async () => {
      const { rate } = await asked(answer);
      expect(rate).toMatchObject({ code: "L1_ORACLE", retryable: true });
      expect(String(rate)).not.toContain("secret-key");
    });
  }

  test("times out when the oracle hangs", async () => {
    const arrived = Promise.withResolvers<undefined>();
    using server = Bun.serve({
      port: 0,
      fetch() {
        arrived.resolve(undefined);
        return new Promise<Response>(() => undefined);
      },
    });
    const timer = new FakeTimer();
    const url = `http://user:pass-word@127.0.0.1:${server.port}/`;
    const asking = createPriceOracle({ url, apiKey: undefined, timer, signal }).friPerWei();
    await arrived.promise;
    timer.advance(10_000);
    const failure = await asking.catch((cause: unknown) => cause);
    expect(String(failure)).toContain("does not answer");
    expect(String(failure)).not.toContain("pass-word");
    expect(timer.alarms).toBe(0);
    void server.stop(true);
  });
});
