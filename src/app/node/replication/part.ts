/**
 * Replication: several sequencers share one chain through an object store; one of them leads.
 *
 * - Options: `replication`, `trustClock`.
 * - Threads: none; `committer` publishes blocks, `sync` takes those of the leader.
 * - Needs: the open chain, the joined store, the roles that it switches between, reverts of the stored chain.
 * - Offers: {@link Replication}: whether this node leads, the leader's address, the publication listener.
 * - Metrics: `replication`.
 * - Ready: a chain of one sequencer is never waited for; a shared one as the role says.
 * - Stops: freezes first, so that the role no longer changes, and gives up its lease once no thread runs.
 */
import type { Leadership } from "#services/replication/index.ts";
import type { L1Connection } from "../l1/l1-connection.ts";
import type { PublicationListener } from "../production/part.ts";
import type { Listeners } from "../query/rpc/listeners.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { OpenedStorage } from "../storage/part.ts";
import type { Reverts } from "../storage/revert/open-revert.ts";
import type { LeaderAddress } from "../sync/forwarding/leader-gateway.ts";
import type { ActiveRole } from "./active-role.ts";
import { leaderFields } from "./leadership-report.ts";
import { openLeadership } from "./open-leadership.ts";
import type { SharedChain } from "./open-shared.ts";

/** Other parts of the node that {@link openReplication} uses. */
export interface ReplicationNeeds {
  readonly storage: OpenedStorage;
  readonly l1: Pick<L1Connection, "prices">;
  /** `null` when the chain has one sequencer. */
  readonly shared: SharedChain | null;
  readonly endpoints: Pick<Listeners, "gateway">;
  readonly roles: ActiveRole;
  readonly reverts: Pick<Reverts, "stored">;
  /** Disposed once no thread runs. */
  readonly afterThreads: AsyncDisposableStack;
}

/**
 * Leader election as other parts see it; on a chain with one sequencer this node always leads, or always
 * follows.
 */
export interface Replication {
  /** Address of the leader's gateway; `null` when the chain has one sequencer. */
  readonly leader: LeaderAddress | null;
  readonly publication: PublicationListener;
  /** Whether this node makes the chain's blocks. */
  leads(): boolean;
  /** Gives up leading, for this reason. */
  giveUp(reason: string): void;
  /** Begins to lead or to follow. Called once the services of the first role are open. */
  begin(start: (leadership: Leadership) => void): void;
}

/** Creates the leader election; nothing has begun yet. */
export function openReplication(
  options: Pick<NodeOptions, "replication" | "trustClock">,
  needs: ReplicationNeeds,
  { lifecycle, metrics, log, timer, disposables }: NodeHost,
): Replication {
  const { storage, l1, shared, endpoints, roles, reverts, afterThreads } = needs;
  const { setup, view, stored } = storage;
  const node = openLeadership(
    options,
    { setup, view, stored, l1, shared },
    {
      listeners: endpoints,
      role: roles,
      metrics,
      revert: reverts.stored,
      onDeposed: (by) =>
        lifecycle.depose(
          "another sequencer leads the chain",
          by === undefined ? {} : leaderFields(by),
        ),
      onFailure: (error) => lifecycle.fail(error),
      log,
      timer,
    },
  );
  if (node === null) return singleSequencer(setup);
  const { leadership, shared: signals } = node;
  afterThreads.defer(() => leadership.stop());
  disposables.defer(() => leadership.freeze());
  return {
    leader: signals.leader,
    publication: signals,
    leads: () => leadership.state === "leading",
    giveUp: (reason) => void leadership.giveUp(reason),
    begin: (start) => start(leadership),
  };
}

/** A chain that has one sequencer: this node, unless it follows. */
function singleSequencer({ follow }: Pick<NodeSetup, "follow">): Replication {
  return {
    leader: null,
    publication: {
      onPublished: () => undefined,
      onWaiting: () => undefined,
      onRefused: () => undefined,
    },
    leads: () => follow === null,
    giveUp: () => undefined,
    begin: () => undefined,
  };
}
