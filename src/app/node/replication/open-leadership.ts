import { randomBytes } from "node:crypto";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import {
  BundleStore,
  Leadership,
  type LeaderRecord,
  START_SILENCE_MS,
} from "#services/replication/index.ts";
import { unixNowMs } from "../setup/environment.ts";
import { clockLag } from "../storage/chain/require-clock.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { handOverMempool } from "../sync/forwarding/hand-over.ts";
import type { PublicationListener } from "../production/part.ts";
import type { LeaderAddress } from "../sync/forwarding/leader-gateway.ts";
import { Production } from "../production/production.ts";
import { Follower } from "../sync/follower.ts";
import { beginMaking } from "../storage/folder/begin-making.ts";
import type { RevertOrder } from "../threads/revert-messages.ts";
import type { L1Connection } from "../l1/l1-connection.ts";
import { httpUrl } from "../setup/http-url.ts";
import type { Listeners } from "../query/rpc/listeners.ts";
import { LeadershipReport } from "./leadership-report.ts";
import type { SharedChain } from "./open-shared.ts";
import { leaderSetup, standbySetup } from "./role-setups.ts";
import type { ActiveRole } from "./active-role.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import { gatewayUrlsAt } from "../setup/follow.ts";
import { l1PricesOfBlock } from "../setup/l1-prices.ts";
import type { ReplicationOptions } from "../setup/replication.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { CarryOver } from "./carry-over.ts";
import { makeFirstBlock } from "./first-block.ts";
import { RoleChanges } from "./role-changes.ts";

/** Random bytes that identify a process run. */
const RUN_BYTES = 16;

/** Parts of an opened node that {@link openLeadership} needs. */
export interface OpenedChain {
  /** Setup from the options. */
  readonly setup: NodeSetup;
  readonly view: ChainView;
  readonly stored: Pick<StoredChainReader, "epoch">;
  readonly l1: Pick<L1Connection, "prices">;
  /** `null`: the chain is not shared. */
  readonly shared: Pick<SharedChain, "instance" | "store"> | null;
}

/** Dependencies of {@link openLeadership}. */
export interface OpenLeadershipDeps {
  readonly listeners: Pick<Listeners, "gateway">;
  readonly role: ActiveRole;
  readonly metrics: NodeMetrics;
  /** Reverts the stored chain, while no thread runs. */
  readonly revert: (order: RevertOrder) => Promise<void>;
  /** Called when another sequencer leads permanently. */
  readonly onDeposed: (by: LeaderRecord | undefined) => void;
  readonly onFailure: (error: unknown) => void;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Signals between leader election and the services of the roles. */
export interface SharedRole extends PublicationListener {
  /** Address of the gateway that submissions are forwarded to while another node leads. */
  readonly leader: LeaderAddress;
}

/** Leadership of a node, and its interface to the services of its roles. */
export interface NodeLeadership {
  readonly leadership: Leadership;
  readonly shared: SharedRole;
}

/**
 * Creates the leader election of a sequencer; nothing is started yet.
 *
 * @returns `null` if the chain is not shared
 */
export function openLeadership(
  { replication: options, trustClock }: Pick<NodeOptions, "replication" | "trustClock">,
  { setup, view, stored, l1, shared: opened }: OpenedChain,
  deps: OpenLeadershipDeps,
): NodeLeadership | null {
  if (options === null || opened === null) return null;
  const { store, instance } = opened;
  const { role, metrics, log, timer } = deps;
  const report = new LeadershipReport({ log, metrics: metrics.replication });
  const newestBlock = (): number => view.chain.latestNumber() ?? -1;
  const prices = () => l1.prices ?? newestPrices(view, setup);
  const carried = new CarryOver({
    setup,
    forwardedSubmissions() {
      const { services } = role;
      return services instanceof Follower ? services.forwardedSubmissions() : [];
    },
    submit: () => role.submit,
    log,
  });
  const changes = new RoleChanges({
    role,
    view,
    leaderSetup: (epoch) => leaderSetup(setup, { store: options.store, epoch }, prices()),
    standbySetup: standbySetup(setup, options.store),
    async beginMaking() {
      await carried.keep();
      await beginMaking(setup);
    },
    revert: deps.revert,
  });
  const bundles = new BundleStore(store, timer);
  const gatewayUrl = gatewayUrlOf(options, deps.listeners);
  if (isEverywhere(gatewayUrl)) {
    log.warn("other nodes cannot reach this gateway: set its address with --advertise-gateway");
  }
  const production = (): Production | undefined => {
    const { services } = role;
    return services instanceof Production ? services : undefined;
  };
  const leadership: Leadership = new Leadership({
    store,
    instance,
    run: randomBytes(RUN_BYTES).toString("hex"),
    gatewayUrl,
    takeoverAfterMs: options.standby?.takeoverAfterMs ?? START_SILENCE_MS,
    publishTimeoutMs: options.publishTimeoutMs,
    isStandby: options.standby !== null,
    ports: {
      newestBlock,
      newestEpoch: () => stored.epoch(newestBlock()) ?? 0,
      newestPublished: (from) => bundles.newest(from),
      async lead(epoch) {
        await changes.lead(epoch);
        void carried.declare();
      },
      secondsBehind: () =>
        trustClock ? undefined : clockLag(view.chain, { nowMs: () => unixNowMs(setup) })?.seconds,
      makeBlock() {
        makeFirstBlock({
          control: () => production()?.remote.control,
          isMissing: () => leadership.state === "beginning",
          log,
          timer,
        }).catch(deps.onFailure);
      },
      follow: () => changes.follow(),
      async handOver(deadlineMs, signal) {
        await handOverMempool({
          setup,
          leader: shared.leader,
          gatewayKeyFile: null,
          chain: view.chain,
          metrics,
          deadlineMs,
          log,
          timer,
          signal,
        });
      },
      onEvent: (event) => report.tell(event),
      onEnd: deps.onDeposed,
      onFailure: deps.onFailure,
    },
    timer,
  });
  const shared: SharedRole = {
    leader() {
      const url = leadership.leader?.gatewayUrl;
      // A loopback address of another machine points to this node: forwarding would loop forever.
      const isOwn = options.advertisedGateway === null && url === gatewayUrl;
      return url == null || isOwn ? undefined : gatewayUrlsAt(url);
    },
    onWaiting: (reason) => leadership.waiting(reason),
    onPublished: () => leadership.published(),
    onRefused: () => leadership.refused(),
  };
  return { leadership, shared };
}

/** Address at which other nodes reach this node's gateway. */
function gatewayUrlOf(
  { advertisedGateway }: ReplicationOptions,
  { gateway }: Pick<Listeners, "gateway">,
): string | null {
  if (advertisedGateway !== null) return advertisedGateway;
  return gateway === null ? null : httpUrl(gateway.hostname, gateway.port);
}

/** Whether a URL has the wildcard address, which other machines cannot use. */
function isEverywhere(url: string | null): boolean {
  return url !== null && ["0.0.0.0", "[::]"].includes(new URL(url).hostname);
}

/** Current L1 prices; those of the newest block if none were reported. */
function newestPrices({ chain }: ChainView, setup: NodeSetup): NodeSetup["l1Prices"] {
  const newest = chain.header(chain.latestNumber() ?? -1);
  return setup.followsL1 && newest !== undefined ? l1PricesOfBlock(newest) : setup.l1Prices;
}
