import { machineSpanBytes } from "../threads/health/machine-space.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { prepareWeighing } from "#engine/execution/index.ts";
import {
  ClockPage,
  DevEnvironment,
  ExecutorService,
  type L1Prices,
  L1PricesPage,
  SteadyClock,
} from "#services/sequencer/index.ts";
import { l1PricesOf, nextBlockInfo, unixNowMs } from "../setup/environment.ts";
import { contextFor } from "../setup/setup.ts";
import { executorChainOf } from "../fork/chain-of.ts";
import { openChain } from "../storage/folder/open-chain.ts";
import { openGuard } from "../storage/folder/open-guard.ts";
import { together } from "../threads/warm-up/idle-turns.ts";
import { threadProcessorMs } from "../threads/health/processor-time.ts";
import { machineUptimeMs } from "../threads/health/machine-uptime.ts";
import { Pulse } from "../threads/health/pulse.ts";
import { executorSettings, producerSettings } from "../setup/setup.ts";
import { prepareStatements } from "../threads/warm-up/prepare-statements.ts";
import { prepareUsualClasses } from "../threads/warm-up/usual-classes.ts";
import { warmUp } from "../threads/warm-up/warm-up.ts";
import { warmUpBlocks } from "../threads/warm-up/warm-up-blocks.ts";
import type { WorkerContext, WorkerService } from "../threads/runtime.ts";

/**
 * Opens the files of the executor and starts it on top of the newest stored block.
 *
 * @throws {StorageError} when a file cannot be opened or read
 */
export async function startExecutor({
  setup,
  cancelFlag,
  retainedMemory,
  pulse: pulsePage,
  main,
  connect,
  connectQueries,
  connectValidators,
}: WorkerContext<"executor">): Promise<WorkerService> {
  const pulse = new Pulse(pulsePage);
  const { chain: stored, statements, close } = await openChain(setup);
  const chain = executorChainOf(stored, {
    setup,
    post: () => connect("fork").send,
    cancelFlag,
    beat: () => pulse.beat(),
  });
  pulse.beat();
  const vm = createCairoVm({
    cancelFlag: new Int32Array(cancelFlag),
    maxMemoryBytes: setup.executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(setup),
    retainedMemory: new Int32Array(retainedMemory),
  });
  const state = chain.stateAt(chain.latestNumber() ?? -1);
  warmUp(setup, vm, state, nextBlockInfo(setup, chain, unixNowMs(setup)));
  pulse.beat();
  const journal = openGuard(setup.files.executionJournal, () => pulse.beat());
  const committer = connect("committer");
  const production = producerSettings(setup);
  const preparing = prepareStatements(setup, [statements], SYSTEM_TIMER);
  const warming = together(
    prepareUsualClasses(
      setup,
      (casm) => {
        vm.prepare(casm);
        prepareWeighing(casm, production.constants.flags.enableCasmHashMigration);
      },
      chain,
      state,
      SYSTEM_TIMER,
    ),
    warmUpBlocks(setup.warmUpTransfers, {
      vm,
      settings: production,
      blockOf: () => contextFor(setup, nextBlockInfo(setup, chain, unixNowMs(setup))),
      rehearse: (message) => committer.send(message),
      timer: SYSTEM_TIMER,
    }),
  );
  const admission = connect("admission");
  const ports = {
    admission: {
      ...admission,
      listen: (handler: Parameters<typeof admission.listen>[0]) =>
        admission.listen((message) => {
          // The first batch request is answered with an empty batch, before any transaction arrives.
          if (message.kind !== "batch" || message.count > 0) warming.stop();
          handler(message);
        }),
    },
    committer,
    readers: [...connectQueries(), ...connectValidators()],
    main,
    control: main,
  };
  const clock = new SteadyClock({
    wallMs: Date.now,
    monotonicMs: machineUptimeMs,
    page: new ClockPage(setup.clockPage),
    onJump: (byMs) => main.send({ kind: "clockJump", byMs }),
  });
  const pricesPage = new L1PricesPage(setup.l1PricesPage);
  const common = {
    chain,
    ownBlocks: stored,
    vm,
    guard: journal.guard,
    clock,
    timer: SYSTEM_TIMER,
    l1Prices: () => l1PricesOf(setup),
    setL1Prices: (prices: L1Prices) => pricesPage.set(prices),
    processorMs: threadProcessorMs,
  };
  const { devnet } = setup;
  const environment = devnet === null ? null : new DevEnvironment(devnet.page);
  const deps =
    environment === null
      ? { ...common, ports, devnet: null }
      : {
          ...common,
          ports,
          devnet: { environment, unixNowMs: () => clock.nowMs() },
          clock: { nowMs: () => environment.nowMs(clock.nowMs()) },
        };
  const service = new ExecutorService(deps, executorSettings(setup), production);
  service.start();
  return {
    forget: () => undefined,
    probe: () => undefined,
    stop() {
      preparing.stop();
      warming.stop();
      service.stop();
      journal.close();
      close();
    },
  };
}
