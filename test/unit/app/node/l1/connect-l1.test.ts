import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connectL1, type L1NodeOptions } from "#app/node/l1/connect-l1.ts";
import { L1Report } from "#app/node/l1/reports/l1-report.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FAKE_CORE, FakeL1, serveFakeL1 } from "#test/helpers/fake-l1.ts";
import { l1Options, nodeOptions } from "#test/helpers/node-options.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

type Changes = Partial<Pick<L1NodeOptions, "gasPrices" | "role">> & {
  readonly l1DaMode?: "BLOB" | "CALLDATA";
  readonly oracle?: { readonly url: string; readonly apiKeyFile: string | null };
};

const NONE = gasPriceOptions();

/** Starts a connection with one endpoint and returns what it finds. */
async function connected(l1: FakeL1, changes: Changes = {}) {
  await using server = serveFakeL1(l1);
  const { chain } = await nodeOptions({});
  const lines: string[] = [];
  const log = createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) });
  const metrics = createNodeMetrics();
  await using disposables = new AsyncDisposableStack();
  const { oracle = null, l1DaMode = "BLOB", gasPrices = NONE, role = "sequencer" } = changes;
  const url = new URL(server.url);
  url.username = "somebody";
  url.password = "a-secret-word";
  url.pathname = "/v3/0123456789abcdef";
  const { startPrices, finding } = await connectL1(
    {
      chain: { ...chain, ethCoreContractAddress: FAKE_CORE, l1DaMode },
      l1: { ...l1Options(url.href), oracle },
      gasPrices,
      role,
      signal: new AbortController().signal,
    },
    { report: new L1Report({ log, metrics, timer: SYSTEM_TIMER }), log, timer: SYSTEM_TIMER },
    disposables,
  );
  const output = lines.join("\n");
  for (const secret of ["a-secret-word", "0123456789abcdef"]) {
    expect(output).not.toContain(secret);
    expect(await metrics.registry.metrics()).not.toContain(secret);
  }
  return { startPrices, finding, output };
}

const rate = ({ friPerWei: { numerator, denominator } }: NonNullable<L1Prices>): number =>
  Number(numerator) / Number(denominator);
type L1Prices = Awaited<ReturnType<typeof connected>>["startPrices"];

describe("L1 prices at start", () => {
  test("come from the next block's base fee and the mean blob base fee", async () => {
    const { startPrices, output } = await connected(new FakeL1(3));
    expect(startPrices).toMatchObject({ l1GasWei: 8n, l1DataGasWei: 3n });
    expect(output).toMatch(/subscribed to L1 state verification .*l1_chain_id=31337 finality=10/);
    expect(output).toContain("the exchange rate is 1 STRK per ETH");
  });

  test("prefer fixed prices over those of L1", async () => {
    const gasPrices = gasPriceOptions({ l1GasPriceWei: 70n, strkPerEth: 2.5 });
    const { startPrices, output } = await connected(new FakeL1(3), { gasPrices });
    expect(startPrices).toMatchObject({ l1GasWei: 70n, l1DataGasWei: 3n });
    expect(startPrices && rate(startPrices)).toBe(2.5);
    expect(output).not.toContain("the exchange rate is");
  });

  test("skip the L1 price request if all prices are fixed", async () => {
    const l1 = new FakeL1(3);
    const asked: string[] = [];
    l1.intercept = (method) => void asked.push(method);
    const gasPrices = gasPriceOptions({ l1GasPriceWei: 1n, blobGasPriceWei: 2n, strkPerEth: 3 });
    const { startPrices } = await connected(l1, { gasPrices });
    expect(startPrices).toMatchObject({ l1GasWei: 1n, l1DataGasWei: 2n });
    expect(asked).not.toContain("eth_feeHistory");
  });

  test("require a blob price, unless the chain publishes its data as calldata", async () => {
    const l1 = new FakeL1(3);
    l1.blobBaseFees = undefined;
    const { startPrices, finding } = await connected(l1);
    expect([startPrices, finding]).toEqual([
      undefined,
      expect.stringContaining("--blob-gas-price"),
    ]);
    expect((await connected(l1, { l1DaMode: "CALLDATA" })).startPrices?.l1GasWei).toBe(8n);
  });

  test("are absent on a full node", async () => {
    const { startPrices, finding } = await connected(new FakeL1(3), { role: "full" });
    expect([startPrices, finding]).toEqual([undefined, undefined]);
  });
});

describe("a price oracle", () => {
  test("supplies the exchange rate with the configured API key", async () => {
    using folder = temporaryFolder();
    const apiKeyFile = folder.file("key");
    writeFileSync(apiKeyFile, "oracle-key\n");
    const seen: (string | null)[] = [];
    using server = Bun.serve({
      port: 0,
      fetch(request) {
        seen.push(request.headers.get("x-api-key"), new URL(request.url).search);
        // Price of one STRK in ETH.
        return Response.json({ price: "0x16345785d8a0000", decimals: 18 });
      },
    });
    const oracle = { url: `http://127.0.0.1:${server.port}/data/`, apiKeyFile };
    const { startPrices, output } = await connected(new FakeL1(3), { oracle });
    expect(startPrices && rate(startPrices)).toBe(10);
    expect(seen).toEqual(["oracle-key", "?interval=2h&aggregation=twap"]);
    expect(output).not.toContain("oracle-key");
  });

  test("leaves a new chain without prices if it does not respond", async () => {
    const oracle = { url: "http://127.0.0.1:9/", apiKeyFile: null };
    const { startPrices, finding } = await connected(new FakeL1(3), { oracle });
    expect([startPrices, finding]).toEqual([undefined, expect.stringContaining("--strk-per-eth")]);
  });
});
