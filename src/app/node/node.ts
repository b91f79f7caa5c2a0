import { NodeError } from "#base/errors/index.ts";
import { readAdminToken, type RpcObserver } from "#api/rpc/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createLogger, type Logger, type LogThreshold } from "#base/telemetry/index.ts";
import { abortOf } from "./abort-of.ts";
import { blameThread } from "./threads/blame-thread.ts";
import { ChainRewind } from "./revert/chain-revert.ts";
import { ChainView } from "./chain/chain-view.ts";
import { createClassCompiler } from "./compiler/start-class-compiler.ts";
import { AutomaticDumps } from "./devnet/automatic-dumps.ts";
import { checkConfigOut } from "./reports/dev-report.ts";
import { devnetSetup, resumeTime, startDevnet } from "./devnet/start-devnet.ts";
import { ToldThreads } from "./production/told-threads.ts";
import { fixedL1Prices } from "./setup/l1-prices.ts";
import { Lifecycle } from "./lifecycle.ts";
import { openListeners } from "./listeners/listeners.ts";
import { recordBlock, startMetrics } from "./reports/node-metrics.ts";
import type { NodeOptions, StartedNode } from "./setup/node-options.ts";
import { openChain } from "./folder/open-chain.ts";
import { prepareFolder } from "./folder/prepare.ts";
import { createClients } from "./clients/clients.ts";
import { resetOf } from "./folder/reset-folder.ts";
import { RevertReport } from "./reports/revert-report.ts";
import { rpcObserver } from "./reports/rpc-observer.ts";
import { mainRpcContext } from "./listeners/rpc-context.ts";
import { serveAdminOf } from "./listeners/serve-admin.ts";
import { serveMetricsOf, serveRpc } from "./listeners/serve.ts";
import type { NodeSetup } from "./setup/setup.ts";
import { nodeFiles } from "./setup/node-files.ts";
import { checkSigningKey } from "./folder/signing-key.ts";
import { logIdentity, logL1 } from "./reports/start-log.ts";
import { logPrepared, reportChain } from "./reports/start-report.ts";
import { DEVNET } from "./roles/devnet.ts";
import { SEQUENCER } from "./roles/sequencer.ts";
import { queryThreadCount } from "./machine/query-threads.ts";
import { NodeThreads } from "./threads/node-threads.ts";
import { spawnWorker } from "./threads/spawn.ts";
import { unwindReport } from "./reports/unwind-report.ts";
import { unwindInThread } from "./revert/revert-thread.ts";

/** Surroundings that tests replace. */
export interface NodePorts {
  /** Ends the process; see {@link Lifecycle}. */
  readonly exit?: (code: number) => void;
}

/**
 * Starts a node with everything it consists of, in order, and logs the start-up lines.
 *
 * Keys, files and addresses are tried before anything is written. What was started is stopped in
 * reverse order when the signal is aborted, and at once when a part fails: `closed` then settles with 1.
 *
 * @throws {AppError} when a part cannot start; everything before it is stopped again, and nothing of
 *   a new chain is left behind
 */
export async function startNode(options: NodeOptions, ports: NodePorts = {}): Promise<StartedNode> {
  const threshold = { level: options.log.level };
  const log = createLogger({ ...options.log, level: threshold });
  refuseUnbuilt(options);
  const parts = new AsyncDisposableStack();
  try {
    return await start(options, ports, { log, threshold }, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

function refuseUnbuilt({ role, l1Endpoint }: NodeOptions): void {
  if (role !== "sequencer") {
    throw new NodeError(
      "NODE_NOT_BUILT",
      "full nodes are not built yet: start a sequencer with `appchain sequencer`",
    );
  }
  if (l1Endpoint !== null) {
    throw new NodeError(
      "NODE_NOT_BUILT",
      "--l1-endpoint: following L1 is not built yet; leave it out and give prices with --l1-gas-price, --blob-gas-price and --strk-per-eth",
    );
  }
}

async function start(
  options: NodeOptions,
  ports: NodePorts,
  { log, threshold }: { readonly log: Logger; readonly threshold: LogThreshold },
  parts: AsyncDisposableStack,
): Promise<StartedNode> {
  logIdentity(options, log);
  const setup = setupOf(options);
  const lifecycle = new Lifecycle({ ...ports, parts, log });

  checkSigningKey(setup.files.signingKey);
  if (options.rpc.adminTokenFile !== null) readAdminToken(options.rpc.adminTokenFile);
  if (options.configOut !== null) checkConfigOut(options.configOut, setup.files);
  const listeners = await openListeners(options, parts);

  log.info("database", { path: setup.files.chainDatabase });
  const prepared = await prepareFolder(setup, options.devAccounts, resetOf(options));
  parts.defer(() => prepared.folder.release());
  logPrepared(prepared, options, log);
  logL1(setup.l1Prices, log);
  const opened = await openChain(setup);
  parts.defer(() => opened.close());
  const view = new ChainView(opened.chain);
  resumeTime(setup, view.chain);

  const role = setup.devnet === undefined ? SEQUENCER : DEVNET;
  const nodeThreads = new NodeThreads(role.threads, {
    setup,
    queryThreads: queryThreadCount(),
    listener: {
      onDeath: (error, thread) => blameThread(setup.files, thread, error),
      onFailure: (error) => lifecycle.fail(error),
    },
    spawn: spawnWorker,
    timer: SYSTEM_TIMER,
  });
  const threads = {
    started: nodeThreads.started,
    admission: nodeThreads.end("admission"),
    executor: nodeThreads.end("executor"),
    committer: nodeThreads.end("committer"),
    queries: nodeThreads.queries,
    restart: (work: () => Promise<void>) => nodeThreads.restart(work),
    stop: () => nodeThreads.stop(),
  };
  parts.defer(() => threads.stop());
  const metrics = startMetrics(options, setup.l1Prices, view.chain.latestNumber());
  const reverts = new RevertReport({ log });
  parts.defer(() => reverts.flush());
  const told = new ToldThreads(threads);
  view.follow(told.sources(), (accepted) => {
    recordBlock(accepted, metrics, log);
    reverts.add(accepted.blockNumber, accepted.reverted);
  });
  const observer: RpcObserver = rpcObserver(metrics, log);
  const compiler = createClassCompiler(parts, setup, options.compilerMemoryBytes);
  const clients = createClients({
    setup,
    threads,
    view,
    compiler,
    observer,
    metrics,
    log,
    queryTimeoutMs: options.rpc.timeoutMs,
    parts,
  });
  await Promise.race([threads.started, abortOf(options.signal)]);
  log.info(`block production starts at block ${prepared.nextBlock}`);

  const { rpc, metrics: metricsListener } = listeners;
  const webSocketObserver = rpcObserver(metrics, log, "ws");
  const rewind = new ChainRewind({
    threads,
    clients,
    view,
    told,
    unwind: (order) => unwindInThread(setup, order, unwindReport(log, SYSTEM_TIMER)),
    onFailure: (error) => lifecycle.fail(error),
  });
  const devnet = startDevnet({ options, setup, view, prepared, clients, told, rewind });
  const dumps = new AutomaticDumps(parts);
  const context = mainRpcContext(setup, view.chain, view.feed, clients, devnet);
  // Nobody is answered before: a chain that is half a dump is not what was asked for.
  await dumps.start({ context, told, log, nextBlock: prepared.nextBlock });
  prepared.folder.keep();
  const rpcUrl = await serveRpc(rpc, {
    options,
    setup,
    view,
    clients,
    devnet,
    observer,
    webSocketObserver,
    log,
    parts,
  });
  const stop = () => lifecycle.stop();
  serveAdminOf(listeners, {
    options,
    context,
    view,
    clients,
    told,
    rewind,
    threshold,
    observer,
    log,
    stop,
  });
  parts.defer(() => told.stop());
  const metricsUrl = serveMetricsOf(metricsListener, { metrics, files: setup.files, log });
  const state = opened.chain.stateAt(view.chain.latestNumber() ?? -1);
  reportChain(options, { rpcUrl, metricsUrl }, prepared, state, log);
  compiler.warm(log);
  if (options.signal.aborted) lifecycle.stop();
  options.signal.addEventListener("abort", () => lifecycle.stop());
  return { closed: lifecycle.closed };
}

function setupOf(options: NodeOptions): NodeSetup {
  return {
    config: options.chain,
    files: nodeFiles(options.basePath, options.privateKeyFile),
    chargeFees: options.chargeFee,
    l1Prices: fixedL1Prices(options.gasPrices),
    ...devnetSetup(options),
    executionMemoryBytes: options.executionMemoryBytes,
    maxSteps: options.maxSteps,
    storage: { ...options.storage, keepUnsettledProofs: options.l1Endpoint !== null },
    methodLimits: options.rpc.methods,
  };
}
