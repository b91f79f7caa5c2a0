import { expect, test } from "bun:test";
import type { ExplorerIndex } from "#api/explorer/index.ts";
import { EXPLORER_TABLE } from "#api/explorer/data/works.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { PendingOverlay } from "#engine/state/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { pendingBlock } from "#app/node/setup/environment.ts";
import { Cancellation } from "#app/node/query/cancellation.ts";
import { ClassNeeds } from "#app/node/query/class-needs.ts";
import { createQueryMethods } from "#app/node/query/query-methods.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { INVOKE } from "#test/helpers/broadcasted.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";
import { METHOD_LIMITS, SILENT } from "#test/helpers/serving.ts";

/** Runs queries on the sample chain as a query thread does; `flag` cancels them. */
async function world(explorer: ExplorerIndex | null = null) {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const setup = {
    ...ORDINARY_SETUP,
    config,
    files: nodeFiles("/nowhere", null),
    chargeFees: true,
    l1Prices: fixedL1Prices(gasPriceOptions()),
    executionMemoryBytes: 2 ** 28,
    methodLimits: { ...METHOD_LIMITS, maxTransactions: 2, maxEventKeys: 2 },
  };
  const overlay = new PendingOverlay(SAMPLE_CHAIN);
  const flag = new Int32Array(1);
  const run = createQueryMethods({
    setup,
    vm: createCairoVm(),
    chain: SAMPLE_CHAIN,
    pending: () => pendingBlock(setup, SAMPLE_CHAIN, overlay),
    isImpersonatedAccount: () => false,
    overlay: () => overlay,
    cancellation: new Cancellation(flag, () => undefined),
    classes: new ClassNeeds(),
    fork: null,
    explorer,
    observer: SILENT,
  });
  const ask = async (method: string, params: unknown, specVersion = "0.10.2") => {
    const paramsText = JSON.stringify(params);
    const made = await run({ kind: "query", specVersion, method, paramsText });
    const bytes = made instanceof Uint8Array ? made : undefined;
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  };
  return { ask, flag };
}

const EVENTS = { filter: { chunk_size: 10, keys: [["0x1"]] } };

test("a cancelled query ends before it reads anything", async () => {
  const { ask, flag } = await world();
  expect(await ask("getEvents", EVENTS)).toHaveProperty("result");
  flag[0] = 1;
  expect(await ask("getEvents", EVENTS)).toMatchObject({
    error: { data: expect.stringContaining("was stopped") },
  });
});

test("methods have the limits of the setup", async () => {
  const { ask } = await world();
  const keys = [["0x1", "0x2"], ["0x3"]];
  const filter = { ...EVENTS.filter, keys };
  expect(await ask("getEvents", { filter })).toMatchObject({ error: { code: 34 } });
  const many = { block_id: "latest", simulation_flags: [], request: [INVOKE, INVOKE, INVOKE] };
  expect(await ask("estimateFee", many)).toMatchObject({
    error: { code: -32602, data: { expected: "array of at most 2 transactions" } },
  });
});

test("has the explorer's lists if the node has the explorer", async () => {
  const nothing = { items: [], next: null, indexed: { from: 0, to: null } };
  const { ask } = await world({ reader: () => Promise.resolve(undefined) });
  expect(await ask("declared", [null, 1], EXPLORER_TABLE)).toEqual({ result: nothing });
});
