/**
 * Production: builds blocks out of transactions.
 *
 * - Options: those of the setup: `chargeFees`, `hashThreads`, `executionMemoryBytes`, `maxSteps`, and the gate.
 * - Threads: `executor`, `committer` and `hasher` (`NAME.thread.ts` here).
 * - Needs: admission's threads, the query pool for long validations, the compiler, L1.
 * - Offers: {@link Production}: submissions, the mempool, control of the executor, growth of the chain.
 * - Metrics: blocks, mempool, rejections, the publish gate.
 * - Ready: immediately; submissions wait while its threads restart.
 * - Stops: waiting submissions are answered, then L1 is no longer followed.
 */
import type { ClassCompiler } from "#services/admission/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import type { LongAdmissionWork } from "../admission/part.ts";
import type { L1Connection } from "../l1/l1-connection.ts";
import { settleAndNotify } from "../l1/settle-and-notify.ts";
import type { NodeHost } from "../setup/node-host.ts";
import { freeRulesOf, type NodeSetup } from "../setup/setup.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { atTurnEnd } from "../threads/batched-port.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { l1ProductionPorts } from "./production-ports.ts";
import { Production } from "./production.ts";
import { FreeTransactionsReport } from "./reports/free-transactions-report.ts";
import type { ProductionReports } from "./reports/production-reports.ts";

/** Receives how the publication of own blocks goes. */
export interface PublicationListener {
  /** A block of this node was published. */
  onPublished(): void;
  /** A block waits to be published, for this reason; `undefined` once it no longer waits. */
  onWaiting(reason: string | undefined): void;
  /** Another sequencer has published a block of the same number. */
  onRefused(): void;
}

/** Other parts of the node that {@link openProduction} uses. */
export interface ProductionNeeds {
  readonly setup: NodeSetup;
  readonly threads: Pick<NodeThreads, "end" | "validators">;
  readonly queryPool: LongAdmissionWork;
  readonly view: ChainView;
  readonly compiler: { readonly service: ClassCompiler };
  readonly reports: ProductionReports;
  readonly publication: PublicationListener;
  readonly l1: Pick<L1Connection, "follow">;
  readonly l1Chain: L1ChainPort;
}

/** Opens production on the main thread; from now on the view follows the blocks of its threads. */
export function openProduction(needs: ProductionNeeds, { metrics, log }: NodeHost): Production {
  const { setup, threads, queryPool, view, compiler, reports, publication, l1, l1Chain } = needs;
  const production = new Production({
    setup,
    threads,
    queryPool,
    view,
    compiler,
    rejections: reports.rejections,
    postponed: reports.postponed,
    metrics,
    gate: reports.gate,
    accepted: (block) => reports.accepted(block),
    clockJumped: (byMs) => reports.clockJumped(byMs),
    atTurnEnd,
    followL1: (remote) =>
      l1.follow(l1Chain, {
        settle: settleAndNotify((...block) => remote.settleOnL1(...block), view),
        production: l1ProductionPorts(remote.control, log),
      }),
  });
  view.follow(production.growth, (block) => {
    production.accepted(block);
    publication.onPublished();
  });
  reportFree(production, { setup, view, log });
  production.remote.onGate((message) => {
    if (message.state === "refused") publication.onRefused();
    else publication.onWaiting(message.state === "waiting" ? message.reason : undefined);
  });
  return production;
}

/** Checks after each delta whether transactions are still free. On a fork they never are. */
function reportFree(
  { remote }: Pick<Production, "remote">,
  { setup, view, log }: Pick<ProductionNeeds, "setup" | "view"> & Pick<NodeHost, "log">,
): void {
  if (setup.fork !== null) return;
  const state = () => view.feed.current().state();
  const report = new FreeTransactionsReport({ rules: freeRulesOf(setup), state, log });
  remote.onGrowth(() => report.look());
}
