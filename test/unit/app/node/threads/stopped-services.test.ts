import { expect, test } from "bun:test";
import { createMemoryPermits } from "#engine/cairo/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { startAdmission } from "#app/node/admission/start-admission.ts";
import { startValidator } from "#app/node/admission/start-validator.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { startQuery } from "#app/node/query/start-query.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { createPulsePage } from "#app/node/threads/health/pulse.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import type { ThreadKind } from "#app/node/threads/protocol.ts";
import type { WorkerContext, WorkerService } from "#app/node/threads/runtime.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { openFilesIn } from "#test/helpers/open-files.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";

async function newChain(folder: string): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const l1Prices = fixedL1Prices(gasPriceOptions());
  const files = nodeFiles(folder, null);
  const setup = {
    config,
    files,
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 2 ** 28,
    ...ORDINARY_SETUP,
  };
  const { folder: taken } = await prepareFolder(setup, null);
  taken.keep();
  taken.release();
  return setup;
}

/** Start context of a thread whose end closes nothing that the thread leaves open. */
function contextOf<Kind extends ThreadKind>(setup: NodeSetup): WorkerContext<Kind> {
  const context = {
    setup,
    cancelFlag: new SharedArrayBuffer(4),
    memoryPermits: createMemoryPermits(1).buffer,
    retainedMemory: new SharedArrayBuffer(4),
    pulse: createPulsePage(),
    growth: SEQUENCER.threads.growth,
    main: fakePort(),
    connect: () => fakePort(),
    index: 0,
    connectQueries: () => [],
    connectValidators: () => [],
  };
  return context as unknown as WorkerContext<Kind>;
}

test.each<[string, (setup: NodeSetup) => Promise<WorkerService>]>([
  ["admission", (setup) => startAdmission(contextOf(setup))],
  ["a validator", (setup) => startValidator(contextOf(setup))],
  ["a query thread", (setup) => startQuery(contextOf(setup))],
])("%s keeps files open until it is stopped, and none afterwards", async (_, start) => {
  using folder = temporaryFolder();
  const setup = await newChain(folder.path);
  expect(openFilesIn(folder)).toEqual([]);
  const service = await start(setup);
  if (process.platform === "linux") expect(openFilesIn(folder)).not.toEqual([]);
  await service.stop();
  expect(openFilesIn(folder)).toEqual([]);
});
