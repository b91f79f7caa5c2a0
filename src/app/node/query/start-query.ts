import { machineSpanBytes } from "../threads/health/machine-space.ts";
import { GarbageWatch } from "#engine/cairo/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { ForkedChain } from "#engine/state/index.ts";
import type { QueryObserver } from "#api/rpc/index.ts";
import { ExplorerFile } from "#io/storage/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import { PendingFeed, prepareDeclaration, validateSlowly } from "#services/admission/index.ts";
import { impersonationOf } from "../setup/impersonation.ts";
import { pendingBlock } from "../setup/environment.ts";
import { openChain } from "../storage/folder/open-chain.ts";
import { PublishedChain } from "../storage/chain/published-chain.ts";
import { chainIdFelt, contextFor, statelessLimits } from "../setup/setup.ts";
import { connectGrowth } from "../threads/growth.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";
import { type IdleWork, together } from "../threads/warm-up/idle-turns.ts";
import { prepareStatements } from "../threads/warm-up/prepare-statements.ts";
import { prepareUsualClasses } from "../threads/warm-up/usual-classes.ts";
import { warmUp } from "../threads/warm-up/warm-up.ts";
import { Cancellation } from "./cancellation.ts";
import { ClassNeeds } from "./class-needs.ts";
import { OpenResults } from "./open-results.ts";
import { openQueryOrigin } from "./query-origin.ts";
import { OriginNeeds } from "./origin-needs.ts";
import { ProcessorTime, threadProcessorMs } from "../threads/health/processor-time.ts";
import { Pulse } from "../threads/health/pulse.ts";
import { createQueryMachine } from "./query-machine.ts";
import { createQueryMethods } from "./query-methods.ts";
import { QueryService } from "./query-service.ts";

/** Delay until a node has started, measured on two processors with all threads busy. */
const WARM_UP_DELAY_MS = 1_000;

/**
 * Opens the chain, creates the machine of a query thread, and starts its service.
 *
 * @throws {StorageError} when the chain cannot be opened
 */
export async function startQuery(context: WorkerContext<"query">): Promise<WorkerService> {
  const { setup, main } = context;
  const opened = await openChain(setup);
  const pulse = new Pulse(context.pulse);
  const flag = new Int32Array(context.cancelFlag);
  const time = new ProcessorTime({
    processorMs: threadProcessorMs,
    nowMs: () => performance.now(),
  });
  const cancellation = new Cancellation(flag, () => time.look());
  const origin = openQueryOrigin({
    fork: setup.fork,
    index: context.index,
    post: () => context.connect("fork").send,
    isStopped: () => cancellation.isStopped(),
    beat: () => pulse.beat(),
  });
  const whole = origin === null ? opened.chain : new ForkedChain(opened.chain, origin.reader);
  const chain = new PublishedChain(whole);
  const feed = new PendingFeed(chain, SYSTEM_TIMER);
  const vm = createQueryMachine({
    cancelFlag: flag,
    time,
    maxMemoryBytes: setup.executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(setup),
    memoryPermits: new Int32Array(context.memoryPermits),
    retainedMemory: new Int32Array(context.retainedMemory),
  });
  const classes = new ClassNeeds();
  const needs = new OriginNeeds(origin);
  const pending = () => pendingBlock(setup, chain, feed.current());
  const isImpersonatedAccount = impersonationOf(setup);
  // Only the main thread writes the log.
  const observer: QueryObserver = {
    missing: (queries) => needs.note(queries),
    internalError: (method, logId, error) =>
      main.send({ kind: "internalError", method, logId, reason: describeError(error) }),
  };
  const explorer = setup.explorer
    ? new ExplorerFile(setup.files.explorerDatabase, setup.config.chainId)
    : null;
  const validator = {
    vm,
    chainId: chainIdFelt(setup.config),
    chargeFees: setup.chargeFees,
    pending,
    isImpersonatedAccount,
    contextOf: (info: BlockInfo) => contextFor(setup, info),
    noted: (outcome: ValidationOutcome) => cancellation.noted(outcome),
    limits: statelessLimits(setup),
    isStopped: () => cancellation.isStopped(),
  };
  new QueryService({
    ports: { main, ...connectGrowth(context) },
    chain,
    feed,
    cancellation,
    time,
    classes,
    origin: needs,
    results: new OpenResults(setup.maxAnswerBytes, () => cancellation.isStopped()),
    run: createQueryMethods({
      setup,
      vm,
      chain,
      pending,
      isImpersonatedAccount,
      overlay: () => feed.current(),
      cancellation,
      classes,
      fork: origin?.access ?? null,
      explorer,
      observer,
    }),
    validate: (...submission) => validateSlowly(validator, ...submission),
    prepare: (...declaration) => prepareDeclaration(validator, ...declaration),
    garbage: new GarbageWatch(),
    fail,
  }).start();
  // Warms up for the first query, after other threads have started and ports are open.
  let preparing: IdleWork | undefined;
  const cancelWarmUp = SYSTEM_TIMER.after(WARM_UP_DELAY_MS, () => {
    const { info, state } = pending();
    warmUp(setup, vm, state, info);
    preparing = together(
      prepareStatements(setup, [opened.statements], SYSTEM_TIMER),
      prepareUsualClasses(setup, (casm) => vm.prepare(casm), opened.chain, state, SYSTEM_TIMER),
    );
  });
  return {
    forget: () => undefined,
    probe: () => undefined,
    stop() {
      cancelWarmUp();
      preparing?.stop();
      explorer?.close();
      opened.close();
    },
  };
}
