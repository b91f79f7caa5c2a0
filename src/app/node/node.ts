import { AppError, type NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger, type Logger, type LogThreshold } from "#base/telemetry/index.ts";
import { abortOf } from "./abort-of.ts";
import type { Follower } from "./clients/follower.ts";
import { openServices } from "./clients/open-services.ts";
import { Production } from "./clients/production.ts";
import { createQueryClient } from "./clients/query-client.ts";
import { createClassCompiler } from "./compiler/start-class-compiler.ts";
import type { RevertOrder } from "./folder/revert-stored.ts";
import { publicKeyOf } from "./folder/public-key.ts";
import { Lifecycle } from "./lifecycle.ts";
import { holdSubmissions } from "./leadership/held-submissions.ts";
import { openLeadership } from "./leadership/open-leadership.ts";
import { openHeldBudget } from "./listeners/held-budget.ts";
import { openListeners } from "./listeners/listeners.ts";
import { startMainContext } from "./listeners/main-context.ts";
import { serveAdminOf } from "./listeners/serve-admin.ts";
import { serveGatewayOf } from "./listeners/serve-gateway.ts";
import { serveMetricsOf, serveRpc } from "./listeners/serve.ts";
import { validatorCount } from "./setup/admission-threads.ts";
import { ThreadMemory, threadMemoryPorts } from "./machine/thread-memory.ts";
import { processProcessorMs } from "./machine/processor-time.ts";
import { queryThreadCount } from "./machine/query-threads.ts";
import { fileBudget, setupOf, tryFiles } from "./node-setup.ts";
import { bindOpened, openNode } from "./open-node.ts";
import { leaderFields } from "./reports/leadership-report.ts";
import { L1Report } from "./reports/l1-report.ts";
import { startReports } from "./reports/node-reports.ts";
import { logBegin, logIdentity } from "./reports/start-log.ts";
import { StallWatch } from "./reports/stall-watch.ts";
import { reportChain } from "./reports/start-report.ts";
import { terminalOf } from "./reports/terminal-line.ts";
import { chainRevertReport } from "./reports/chain-revert-report.ts";
import { ChainRevert } from "./revert/chain-revert.ts";
import { revertInThread } from "./revert/revert-thread.ts";
import { ActiveRole } from "./roles/active-role.ts";
import type { Role } from "./roles/role.ts";
import type { NodeOptions, StartedNode } from "./setup/node-options.ts";
import type { NodeSetup } from "./setup/setup.ts";
import { initialRoleOf } from "./initial-role.ts";
import { blameThread } from "./threads/blame-thread.ts";
import { NodeThreads } from "./threads/node-threads.ts";
import type { ThreadName } from "./threads/protocol.ts";
import { spawnWorker } from "./threads/spawn.ts";
import type { Spawn } from "./threads/thread-crew.ts";

/** Dependencies that tests replace. */
export interface NodePorts {
  /** Ends the process; see {@link Lifecycle}. */
  readonly exit: (code: number) => void;
}

/**
 * Starts all parts of a node in order, and logs the start-up lines.
 *
 * Keys, files and addresses are validated before anything is written. An abort of the signal stops the parts
 * in reverse order. So does the failure of a part, with `closed` resolving to 1. An abort during the start
 * cancels it: `closed` then resolves to 0.
 *
 * @throws {AppError} when a part cannot start; all parts before it are stopped, and nothing of a new chain is
 *   left behind
 */
export async function startNode(options: NodeOptions, ports: NodePorts): Promise<StartedNode> {
  const threshold = { level: options.log.level };
  const log = createLogger({ ...options.log, level: threshold });
  const disposables = new AsyncDisposableStack();
  const lifecycle = new Lifecycle({ disposables, log, timer: SYSTEM_TIMER, exit: ports.exit });
  try {
    await lifecycle.start(() => start(options, lifecycle, { log, threshold }, disposables));
    return { closed: lifecycle.closed };
  } catch (error) {
    await disposables.disposeAsync();
    if (!options.signal.aborted || !isCalledOff(error)) throw error;
    log.info("stopped before the start was complete");
    return { closed: Promise.resolve(0) };
  }
}

/** Whether the error means that the start was cancelled, not that it failed. */
function isCalledOff(error: unknown): boolean {
  return error instanceof AppError && CALLED_OFF.has(error.code);
}

const CALLED_OFF: ReadonlySet<string> = new Set(["NODE_STOPPED", "OBJECT_STORE_STOPPED"]);

async function start(
  options: NodeOptions,
  lifecycle: Lifecycle,
  { log, threshold }: { readonly log: Logger; readonly threshold: LogThreshold },
  disposables: AsyncDisposableStack,
): Promise<void> {
  const initialSetup = setupOf(options);
  const timer = SYSTEM_TIMER;
  const onFailure = (error: AppError): void => lifecycle.fail(error);
  logIdentity(options, log);

  const budget = fileBudget(options);
  if (budget.warning !== undefined) log.warn(budget.warning);
  tryFiles(options, initialSetup);
  const queryThreads = queryThreadCount();
  const held = openHeldBudget(options.rpc, queryThreads, timer, disposables);
  const listeners = await openListeners(options, budget, held, disposables, log);
  const metrics = createNodeMetrics();
  const l1Report = new L1Report({ log, metrics, timer });
  const openedNode = await openNode(options, initialSetup, { l1Report, log, timer }, disposables);
  const { prepared, view, l1 } = openedNode;
  const { role, setup, begin } = initialRoleOf(options, openedNode.setup, openedNode.shared);

  const onDeath = (error: NodeError, thread: ThreadName): void =>
    blameThread(setup.files, thread, error);
  const listener = { onDeath, onFailure };
  const { startTimeoutMs } = options;
  const loading = { startTimeoutMs, processorMs: processProcessorMs, timer };
  const spawn: Spawn = (name, died) => spawnWorker(name, died, loading);
  const revertChain = (order: RevertOrder): Promise<void> =>
    revertInThread(setup, order, chainRevertReport(log, timer), { spawn, timer });
  const nodeLeadership = openLeadership(options, openedNode, {
    listeners,
    role: () => active,
    metrics,
    revert: revertChain,
    onDeposed: (by) =>
      lifecycle.depose(
        "another sequencer leads the chain",
        by === undefined ? {} : leaderFields(by),
      ),
    onFailure: (error) => lifecycle.fail(error),
    log,
    timer,
  });
  disposables.defer(() => nodeLeadership?.leadership.stop());
  const validators = validatorCount(options.admissionThreads);
  const threads = new NodeThreads(role.threads, {
    setup,
    queryThreads,
    validators,
    listener,
    spawn,
    timer,
  });
  disposables.defer(() => threads.stop());
  const memory = new ThreadMemory(threadMemoryPorts({ forget: () => undefined }));
  memory.start();
  disposables.defer(() => memory.stop());
  const reports = startReports(
    options,
    setup,
    view.chain.latestNumber(),
    { metrics, log, timer },
    disposables,
  );
  const { observer } = reports;
  const compilerSettings = {
    maxResidentBytes: options.compilerMemoryBytes,
    maxCpuMs: options.compilerTimeoutMs,
    niceness: options.compilerNiceness,
  };
  const compiler = createClassCompiler(disposables, setup, compilerSettings, timer);
  const { timeoutMs } = options.rpc;
  const queries = { threads: threads.queries, view, compiler, observer, timer, timeoutMs, held };
  const queryPool = createQueryClient(queries);
  const revert = new ChainRevert({
    role: { restart: (work) => active.restart(work) },
    view,
    revert: revertChain,
    onFailure,
    timer,
  });
  const common = {
    ...openedNode,
    setup,
    held,
    threads,
    queryPool,
    compiler,
    reports,
    revert,
    log,
    timer,
  };
  const open = (_: Role, roleSetup: NodeSetup): Production | Follower =>
    openServices({
      ...common,
      setup: roleSetup,
      shared: nodeLeadership?.shared ?? null,
      restart: () => active.restart(() => Promise.resolve()),
      onOtherChain: (message) => lifecycle.refuse(message),
      sourceGraceMs: options.sourceGraceMs,
      terminal: terminalOf(options.log.format),
    });
  const stalls = new StallWatch({
    pulses: () => threads.pulses,
    stallTimeoutMs: options.stallTimeoutMs,
    onStall: (reason) => void nodeLeadership?.leadership.giveUp(reason),
    log,
    timer,
  });
  stalls.start();
  disposables.defer(() => stalls.stop());
  const stall = (): string | undefined => stalls.alarm();
  const active = new ActiveRole(role, setup, { threads, queryPool, stall, open });
  disposables.defer(() => nodeLeadership?.leadership.freeze());
  if (nodeLeadership !== null) begin(nodeLeadership.leadership);
  await Promise.race([threads.started, abortOf(options.signal)]);
  active.services.l1.release();
  logBegin(setup, prepared, log);

  const production = (): Production | undefined =>
    active.services instanceof Production ? active.services : undefined;
  const served = { ...reports, ...common, options, role: active, disposables };
  const submissions = holdSubmissions(active, options.replication, {
    ...{ setup, view, queryPool, metrics, timer },
  });
  const { contexts } = role;
  const { context, devnet } = await startMainContext({
    ...served,
    role: submissions.role,
    contexts,
    prepared,
    production: production(),
  });
  prepared.folder.keep();
  const publicKey = await publicKeyOf(setup, disposables);
  const gateway = serveGatewayOf(listeners.gateway, {
    ...served,
    context,
    publicKey,
    leads: () =>
      nodeLeadership === null
        ? setup.follow === null
        : nodeLeadership.leadership.standing === "leading",
  });
  const otherServers = gateway === null ? [] : [gateway];
  const rpcUrl = serveRpc(listeners.rpc, { ...served, context, devnet, otherServers });
  disposables.defer(() => submissions.stop());
  const stop = (): void => lifecycle.stop();
  serveAdminOf(listeners, { ...served, contexts, context, production, threshold, stop });
  const metricsUrl = serveMetricsOf(listeners.metrics, {
    metrics,
    refresh() {
      reports.refresh();
      metrics.clientBytes.set(held.bytes);
      l1?.refresh(view.chain);
    },
    log,
  });
  reportChain(options, { rpcUrl, metricsUrl }, prepared, view.latestState(), log);
  // By now, every file of a new folder exists.
  compiler.warm(log, () => bindOpened(setup, view.chain, log, true));
  if (options.signal.aborted) stop();
  options.signal.addEventListener("abort", stop);
}
