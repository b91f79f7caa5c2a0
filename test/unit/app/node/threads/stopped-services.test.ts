import { expect, test } from "bun:test";
import { createMemoryPermits } from "#engine/cairo/index.ts";
import { startAdmission } from "#app/node/admission/start-admission.ts";
import { startValidator } from "#app/node/admission/start-validator.ts";
import { startQuery } from "#app/node/query/start-query.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { createPulsePage } from "#app/node/threads/health/pulse.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import type { ThreadKind } from "#app/node/threads/protocol.ts";
import type { WorkerContext, WorkerService } from "#app/node/threads/runtime.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { newChain } from "#test/helpers/new-chain.ts";
import { openFilesIn } from "#test/helpers/open-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

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
