import { statSync } from "node:fs";
import { type NodeOptions, type StartedNode } from "./node-options.ts";
import { NodeError } from "#base/errors/index.ts";
import { hexFromFelt, LOCAL_ORIGINS } from "#base/primitives/index.ts";
import {
  createMethodTables,
  createRpcServer,
  type Listener,
  openRpcListener,
  type RpcServer,
} from "#api/rpc/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  createLogger,
  createNodeMetrics,
  describeError,
  type Logger,
  type NodeMetrics,
} from "#base/telemetry/index.ts";
import { AdmissionClient } from "./admission/admission-client.ts";
import { type CompilerProcess, startCompilerProcess } from "./compiler-process.ts";
import { checkConfigOut, devAccountLines, writeConfigOut } from "./dev-report.ts";
import { blameForDeath, PendingFeed } from "#services/admission/index.ts";
import { Lifecycle } from "./lifecycle.ts";
import { httpUrl } from "./http-url.ts";
import { fixedL1Prices } from "./l1-prices.ts";
import { openMetricsListener, serveMetrics } from "./metrics-server.ts";
import { openChain } from "./open-chain.ts";
import { prepareFolder } from "./prepare.ts";
import { PublishedChain } from "./published-chain.ts";
import { WorkerQueryPool } from "./query/query-pool.ts";
import { mainRpcContext } from "./rpc-context.ts";
import { RejectionReport } from "./rejection-report.ts";
import { rpcObserver } from "./rpc-observer.ts";
import { nodeFiles, type NodeSetup } from "./setup.ts";
import { checkSigningKey } from "./signing-key.ts";
import { startThreads } from "./threads.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";

/** How long requests under way may go on when the node stops. */
const REQUEST_GRACE_MS = 800;

/**
 * Starts a node with everything it consists of, in order, and logs the start-up lines (seed 4.5).
 *
 * Keys, files and addresses are tried before anything is written. What was started is stopped in
 * reverse order when the signal is aborted, and at once when a part fails: `closed` then settles with 1.
 *
 * @throws {AppError} when a part can not start; everything before it is stopped again, and nothing of
 *   a new chain is left behind
 */
export async function startNode(options: NodeOptions): Promise<StartedNode> {
  const log = createLogger(options.log);
  if (options.role !== "sequencer") {
    throw new NodeError(
      "NODE_NOT_BUILT",
      "full nodes are not built yet: start a sequencer with `appchain sequencer`",
    );
  }
  if (options.l1Endpoint !== null) {
    throw new NodeError(
      "NODE_NOT_BUILT",
      "--l1-endpoint: following L1 is not built yet; leave it out and give prices with --l1-gas-price, --blob-gas-price and --strk-per-eth",
    );
  }
  const parts = new AsyncDisposableStack();
  try {
    return await start(options, log, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function start(
  options: NodeOptions,
  log: Logger,
  parts: AsyncDisposableStack,
): Promise<StartedNode> {
  const { chain: config } = options;
  logIdentity(options, log);
  const setup: NodeSetup = {
    config,
    files: nodeFiles(options.basePath, options.privateKeyFile),
    chargeFees: options.chargeFee,
    l1Prices: fixedL1Prices(options.gasPrices),
    executionMemoryBytes: options.executionMemoryBytes,
  };
  const lifecycle = new Lifecycle({ parts, log });

  checkSigningKey(setup.files.signingKey);
  if (options.configOut !== null) checkConfigOut(options.configOut, options.basePath);
  const { host, port } = options.rpc;
  const rpcListener = await openRpcListener({ hostname: host, port });
  parts.defer(() => rpcListener.stop(0));
  const metricsListener = options.metrics === null ? null : openMetricsListener(options.metrics);
  parts.defer(() => metricsListener?.stop(0));

  log.info("database", { path: setup.files.chainDatabase });
  const prepared = await prepareFolder(setup, options.devAccounts);
  parts.defer(() => prepared.folder.release());
  const { l1Prices } = setup;
  log.info("L1 gas price (fixed)", {
    gas_wei: l1Prices.l1GasWei,
    data_gas_wei: l1Prices.l1DataGasWei,
  });
  log.info("L1 subscription: off");

  const opened = await openChain(setup);
  parts.defer(() => opened.close());
  const chain = new PublishedChain(opened.chain);
  const feed = new PendingFeed(chain);
  const threads = startThreads(setup, {
    onDeath: (error, thread) => {
      if (thread === "executor") blameForDeath(setup.files.executionJournal, error);
      if (thread === "committer") blameForDeath(setup.files.commitJournal, error);
      if (thread === "admission") blameForDeath(setup.files.validationJournal, error);
    },
    onFailure: (error) => lifecycle.fail(error),
  });
  parts.defer(() => threads.stop());
  const metrics = createNodeMetrics();
  metrics.nodeInfo.set(
    { name: options.name, version: options.version, role: options.role, chain_id: config.chainId },
    1,
  );
  metrics.l2BlockNumber.set(chain.latestNumber() ?? -1);
  metrics.l1GasPriceWei.set(Number(l1Prices.l1GasWei));
  const { numerator, denominator } = l1Prices.friPerWei;
  metrics.l1GasPriceStrk.set(Number((l1Prices.l1GasWei * numerator) / denominator));
  threads.executor.port.listen((delta) => feed.delta(delta));
  threads.committer.port.listen((accepted) => {
    chain.publish(accepted.blockNumber);
    feed.accepted(accepted);
    recordBlock(accepted, metrics, log);
  });
  const rejections = new RejectionReport({
    log,
    count: (code) => metrics.mempoolRejected.labels(code).inc(),
  });
  parts.defer(() => rejections.flush());
  const observer = rpcObserver(metrics, log);
  const queryPool = new WorkerQueryPool({ threads: threads.queries, observer, view: feed });
  const admission = new AdmissionClient(threads.admission.port, feed, {
    validateSlowly: (bytes, isToBeDeployed) => queryPool.validate(bytes, isToBeDeployed),
    hasAccount: (address) => chain.stateAt(chain.latestNumber() ?? -1).classHashAt(address) !== 0n,
    onSize: (waiting) => metrics.mempoolTransactions.set(waiting),
    onRefused: (code) => metrics.mempoolRefused.labels(code).inc(),
    onRejected: (rejected) => rejections.add(rejected),
  });
  await Promise.race([threads.started, abortOf(options.signal)]);
  prepared.folder.keep();
  log.info(`block production starts at block ${prepared.nextBlock}`);

  const rpc = await createRpcServer({
    hostname: host,
    listener: rpcListener,
    cors: options.rpc.cors,
    context: mainRpcContext(setup, chain, feed, admission),
    tables: createMethodTables(),
    queryPool,
    observer,
    limits: {
      maxBodyBytes: options.rpc.maxRequestSizeBytes,
      maxBatchLength: options.rpc.maxBatch,
      maxResponseBytes: options.rpc.maxResponseSizeBytes,
    },
  });
  parts.defer(() => {
    queryPool.stop();
    admission.stop();
    return rpc.stop(REQUEST_GRACE_MS, () => queryPool.cancel());
  });
  log.info(`JSON-RPC server at ${httpUrl(rpc.hostname, rpc.port)}`, {
    allowed_origins: originsText(options),
  });
  const metricsUrl =
    metricsListener === null ? null : startMetrics(metricsListener, metrics, setup);
  log.info(metricsUrl === null ? "metrics endpoint: off" : `metrics endpoint at ${metricsUrl}`);
  const state = opened.chain.stateAt(chain.latestNumber() ?? -1);
  reportAccounts(options, rpc, metricsUrl, state, prepared.accounts(state));
  startCompiler(parts, log);
  if (options.signal.aborted) lifecycle.stop();
  options.signal.addEventListener("abort", () => lifecycle.stop());
  return { closed: lifecycle.closed };
}

function logIdentity(options: NodeOptions, log: Logger): void {
  const { chain, name, version } = options;
  log.info(`appchain ${version}`);
  log.info("node", { name });
  log.info("role: sequencer");
  log.info(`network: ${chain.chainName} (chain id ${chain.chainId})`, {
    protocol: chain.latestProtocolVersion,
    configuration: options.chainSource,
  });
  for (const notice of options.notices) log.info(notice.message);
}

function recordBlock(accepted: AcceptedMessage, metrics: NodeMetrics, log: Logger): void {
  const { blockNumber, transactionCount, eventCount, commitSeconds } = accepted;
  metrics.l2BlockNumber.set(blockNumber);
  metrics.transactionCount.inc(transactionCount);
  metrics.eventCount.inc(eventCount);
  metrics.blockProductionSeconds.observe(accepted.productionSeconds);
  metrics.blockCommitSeconds.observe(commitSeconds);
  log.info(`block ${blockNumber} accepted`, {
    hash: hexFromFelt(accepted.blockHash),
    transactions: transactionCount,
    commit_ms: Math.round(commitSeconds * 1000),
  });
}

/** Settles when the signal is aborted. */
function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

/** @returns the address of the endpoint */
function startMetrics(listener: Listener, metrics: NodeMetrics, { files }: NodeSetup): string {
  return serveMetrics(listener, metrics, () => {
    let bytes = 0;
    for (const file of [files.chainDatabase, files.mempoolDatabase]) {
      for (const part of [file, `${file}-wal`]) {
        bytes += statSync(part, { throwIfNoEntry: false })?.size ?? 0;
      }
    }
    metrics.databaseSizeBytes.set(bytes);
  });
}

function originsText({ rpc }: NodeOptions): string {
  const { cors } = rpc;
  if (cors === "all") return "*";
  return (cors === "local" ? LOCAL_ORIGINS : cors).join(",");
}

function reportAccounts(
  options: NodeOptions,
  rpc: RpcServer,
  metricsUrl: string | null,
  state: StateReader,
  accounts: Parameters<typeof writeConfigOut>[3],
): void {
  const urls = {
    rpcUrl: httpUrl(rpc.hostname, rpc.port),
    metricsUrl,
  };
  if (options.configOut !== null) writeConfigOut(options.configOut, options, urls, accounts);
  if (options.log.format !== "text") return;
  for (const line of devAccountLines(accounts, options.chain, state)) {
    process.stdout.write(`${line}\n`);
  }
}

/** Starts the compiler's child process beside the running node: nobody waits for it at start. */
function startCompiler(parts: AsyncDisposableStack, log: Logger): void {
  let child: CompilerProcess | undefined;
  const stop = new AbortController();
  const started = startCompilerProcess(stop.signal).then(
    (running) => {
      child = running;
      log.debug("compiler process started", { pid: running.pid });
    },
    (error: unknown) => {
      if (stop.signal.aborted) return;
      log.warn("the compiler process did not start", { reason: describeError(error) });
    },
  );
  parts.defer(async () => {
    stop.abort();
    await started;
    await child?.stop();
  });
}
