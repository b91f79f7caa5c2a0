/** Puts a node together out of its parts, in the order in which they start. */
import { serveAdminOf } from "./admin/part.ts";
import { openCompiler } from "./compiler/part.ts";
import { forkMoveOf } from "./devnet/fork-move-of.ts";
import { openMainContext } from "./devnet/part.ts";
import { renewalOf } from "./devnet/renewal-of.ts";
import { openExplorer } from "./explorer/part.ts";
import { Rejections } from "./explorer/rejections/rejections.ts";
import { watchSubmissions } from "./explorer/rejections/watch-submissions.ts";
import { openFork } from "./fork/part.ts";
import { serveGateway } from "./gateway/part.ts";
import { openL1 } from "./l1/part.ts";
import { openMetrics } from "./metrics/part.ts";
import { logBegin, logIdentity } from "./setup/start-log.ts";
import {
  type Endpoints,
  lendEndpoints,
  openEndpoints,
  openQueries,
  serveJsonRpc,
} from "./query/part.ts";
import { ActiveRole } from "./replication/active-role.ts";
import { openBlockReports } from "./replication/block-reports.ts";
import { withSubmitter } from "./query/rpc/rpc-context.ts";
import { holdSubmissions } from "./replication/held-submissions.ts";
import { SharedStart } from "./replication/open-shared.ts";
import { roleServices } from "./replication/open-services.ts";
import { openReplication } from "./replication/part.ts";
import { initialRoleOf } from "./replication/initial-role.ts";
import { abortOf } from "./setup/abort-of.ts";
import type { NodeHost } from "./setup/node-host.ts";
import type { NodeOptions, StartedNode } from "./setup/node-options.ts";
import { setupOf } from "./setup/node-setup.ts";
import { chainIdFelt } from "./setup/setup.ts";
import { type Generation, startRenewable } from "./setup/renewal.ts";
import { type NodePorts, runNode } from "./setup/run-node.ts";
import { screenLog } from "./setup/start-screen.ts";
import { bindOpened } from "./storage/folder/bind-opened.ts";
import { finishForkMove } from "./storage/folder/fork-move.ts";
import { undoLoad } from "./storage/folder/load-undo.ts";
import { openOrigin } from "./storage/folder/open-origin.ts";
import { startEphemeral } from "./storage/folder/start-ephemeral.ts";
import { openStorage, takeFolder } from "./storage/part.ts";
import { reportStarted } from "./storage/reports/start-report.ts";
import { openReverts } from "./storage/revert/open-revert.ts";
import { watchStalls } from "./threads/health/watch-stalls.ts";
import { startThreads } from "./threads/part.ts";

/**
 * Starts a node. An ephemeral one has a temporary folder, which is deleted with it.
 *
 * @throws {AppError} when a part cannot start; the parts before it are stopped, and nothing of a new chain stays
 */
export function startNode(options: NodeOptions, ports: NodePorts): Promise<StartedNode> {
  const start = (inFolder: NodeOptions, host: NodeHost): Promise<void> =>
    startRenewable(inFolder, host, startParts);
  const run = (inFolder: NodeOptions): Promise<StartedNode> => runNode(inFolder, ports, start);
  return options.ephemeral ? startEphemeral(options, run) : run(options);
}

async function startParts(
  requested: NodeOptions,
  host: NodeHost,
  generation: Generation<Endpoints>,
): Promise<void> {
  finishForkMove(requested.basePath);
  undoLoad(requested.basePath);
  const { options, origin } = await openOrigin(requested, host);
  const given = setupOf(options, origin?.pin ?? null);
  logIdentity(options, given, host.log);
  const lent = lendEndpoints(
    await generation.keep((keeping) => openEndpoints(options, given, keeping)),
  );
  const { endpoints } = lent;
  const l1 = await openL1(options, host);
  const store = new SharedStart(options, given, host);
  const folder = await takeFolder(options, { setup: given, origin, l1, store }, host);
  const shared = await store.join(folder.prepared);
  const storage = await openStorage(options, { folder, l1 }, host);
  const { role, setup, begin } = initialRoleOf(options, storage.setup, shared);

  const afterThreads = host.disposables.use(new AsyncDisposableStack());
  const { threads, spawn } = startThreads(options, { role, setup }, host);
  const metrics = openMetrics(options, { setup, storage }, host);
  const rejections = new Rejections(Date.now);
  const reports = openBlockReports(metrics, rejections, host);
  const compiler = openCompiler(options, setup, host);
  const fork = openFork(options, { threads, compiler, storage }, host);
  const queryPool = openQueries(options, { threads, storage, compiler, endpoints, fork }, host);
  const roles = new ActiveRole({ threads, queryPool });
  const reverts = openReverts({ setup, spawn, roles, storage }, host);
  const leadership = openReplication(
    options,
    { storage, l1, shared, endpoints, roles, reverts, afterThreads },
    host,
  );
  const open = roleServices(
    options,
    { threads, queryPool, storage, compiler, reports, reverts, roles, leadership, l1 },
    host,
  );
  const stalls = watchStalls(options, { threads, leadership }, host);
  roles.take({
    role,
    setup,
    open,
    stall: () => stalls.alarm(),
    forkAlarm: () => fork.alarm() ?? reports.production.postponed.alarm(),
  });
  leadership.begin(begin);
  await Promise.race([threads.started, abortOf(options.signal)]);
  roles.services.l1.release();
  logBegin(setup, folder.prepared, screenLog(options, host.log));

  const held = holdSubmissions(options, { setup, storage, queryPool, roles }, host);
  const submit = watchSubmissions(held.role.submit, rejections, chainIdFelt(setup.config));
  const submissions = { role: withSubmitter(held.role, submit) };
  const renew = renewalOf(requested, { lent, reverts, queryPool, fork, roles, generation });
  const move = forkMoveOf(requested, renew, host);
  const main = { setup, storage, fork, role, roles, submissions, l1, folder, reverts, queryPool };
  const { context, devnet } = await openMainContext(
    options,
    { ...main, compiler, move, renew, generation },
    host,
  );
  folder.prepared.folder.keep();
  const gateway = await serveGateway(
    options,
    { endpoints, setup, storage, roles, leadership, context, queryPool },
    host,
  );
  const explorer = await openExplorer(
    options,
    { threads, storage, queryPool, roles, leadership, rejections },
    host,
  );
  const rpcUrl = serveJsonRpc(
    options,
    { endpoints, storage, roles, context, devnet, queryPool, gateway, explorer },
    host,
  );
  host.disposables.defer(() => held.stop());
  serveAdminOf(options, { endpoints, storage, role, roles, context, queryPool, reverts }, host);
  metrics.onScrape(() => endpoints.refresh());
  metrics.onScrape(() => l1.refresh(storage.view.chain));
  const metricsUrl = metrics.serve(endpoints.metrics);
  await reportStarted(options, { rpcUrl, metricsUrl, folder, storage, fork, generation }, host);
  // Every file of a new folder exists by now.
  compiler.warm(host.log, () => bindOpened(setup, storage.stored, host.log, true));
  host.lifecycle.stopOn(options.signal);
}
