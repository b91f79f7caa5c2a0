import { Turns } from "#base/primitives/index.ts";
import type { Following, MempoolLookup, SyncStatus, TransactionSubmitter } from "#api/rpc/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import { readinessReason } from "../setup/readiness-reasons.ts";
import { invariant } from "#base/errors/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import type { Role } from "../threads/roles/role.ts";
import { type MempoolListing, NOTHING_LISTED } from "#services/admission/index.ts";

/** Dependencies of an {@link ActiveRole}. */
export interface ActiveRoleDeps {
  readonly threads: Pick<NodeThreads, "restart" | "change">;
  readonly queryPool: HoldableQueries;
}

/** Role that a node starts in, with functions that open the services of this and later roles. */
export interface FirstRole {
  readonly role: Role;
  /** Setup of the role's threads. */
  readonly setup: NodeSetup;
  /** Opens the services of a role on the main thread, each time the node takes one. */
  readonly open: (role: Role, setup: NodeSetup) => RoleServices;
  /** Name of a thread that makes no progress; `undefined` while all do. */
  readonly stall: () => string | undefined;
  /** Why the origin of a fork does not respond; `undefined` while it does, and on other chains. */
  readonly forkAlarm: () => string | undefined;
}

/** Queries that wait while threads restart. */
export interface HoldableQueries {
  /** Keeps new queries back. Settles once none is running. */
  hold(): Promise<void>;
  /** Runs the queries that were kept back, and new ones. */
  release(): void;
}

/** The current role with its services. */
interface TakenRole extends FirstRole {
  readonly services: RoleServices;
}

/** Target of a role change. */
export interface RoleChange {
  readonly role: Role;
  /** New setup of the role's threads. */
  readonly setup: NodeSetup;
  /** Runs while no thread has a file open. If it fails, the node keeps its role. */
  readonly work: () => Promise<void>;
}

/**
 * Current role of a node. Threads derive their state from the messages they have seen. When the chain is
 * reverted or the role changes, all of them are stopped and restarted from the stored chain. Requests wait
 * meanwhile; connections and subscriptions stay open.
 */
export class ActiveRole {
  /** Submits to the role's mempool or its leader; waits during a change of role. */
  readonly submit: TransactionSubmitter = {
    submit: (...sent) => this.#decide(({ submit }) => submit.submit(...sent)),
    declare: (...sent) => this.#decide(({ submit }) => submit.declare(...sent)),
  };
  /** Looks up waiting transactions of the role; waits during a change of role. */
  readonly mempool: Required<MempoolLookup> = {
    find: (hash) => this.#ask(({ mempool }) => mempool.find(hash)),
    rejectionOf: (hash) => this.#ask(async ({ mempool }) => mempool.rejectionOf?.(hash)),
  };
  readonly #deps: ActiveRoleDeps;
  #current: TakenRole | undefined;
  /** Restarts and changes, one after another: one would release what another one holds. */
  readonly #turns = new Turns();
  /** Resolves after the change in progress; `undefined` while none. */
  #change: Promise<void> | undefined;

  constructor(deps: ActiveRoleDeps) {
    this.#deps = deps;
  }

  /** Takes the role that the node starts in. Called once, before anything else. */
  take(first: FirstRole): void {
    this.#current = { ...first, services: first.open(first.role, first.setup) };
  }

  /** The current role. */
  get role(): Role {
    return this.#now().role;
  }

  /** Setup of the threads of the current role. */
  get setup(): NodeSetup {
    return this.#now().setup;
  }

  /** Services of the current role. */
  get services(): RoleServices {
    return this.#now().services;
  }

  /**
   * Returns the oldest transactions that wait on this node, at most `limit`; resolves after a change of role.
   */
  waiting(limit: number): Promise<MempoolListing> {
    return this.#ask(async ({ mempool }) => mempool.list?.(0, limit) ?? NOTHING_LISTED);
  }

  /** As {@link RoleServices.syncStatus} in a role that is ready only in sync; otherwise `false`. */
  syncStatus(): SyncStatus | false {
    const { role, services } = this.#now();
    return role.readiness === "serving" ? false : services.syncStatus();
  }

  /** As {@link RoleServices.following} if ready only in sync; in any role with the readiness reason. */
  following(): Following | null {
    const { role, services, stall, forkAlarm } = this.#now();
    const following = role.readiness === "serving" ? null : services.following();
    const reason = readinessReason({
      stall: stall(),
      fork: forkAlarm(),
      l1: services.l1.alarm(),
      publication: services.alarm(),
      source: following?.reason,
    });
    const l1NotFollowed = services.l1.finding();
    if (reason === undefined && l1NotFollowed === undefined) return following;
    return {
      highestBlock: undefined,
      isInSync: true,
      ...following,
      reason,
      ...(l1NotFollowed === undefined ? {} : { l1NotFollowed }),
    };
  }

  /**
   * Runs work while no thread runs, then continues in the same role, even if the work fails.
   *
   * @throws errors of `work`, and {@link NodeError} when a thread does not restart
   */
  restart(work: () => Promise<void>): Promise<void> {
    const { threads } = this.#deps;
    return this.#turns.run(() =>
      this.#whileHeld((services) =>
        threads.restart(() => {
          services.interrupt();
          return work();
        }),
      ),
    );
  }

  /**
   * Changes the role. Requests that the old role's threads have not answered are refused; submissions that
   * arrive meanwhile go to the new role.
   *
   * @throws errors of `work`
   * @throws {NodeError} when a thread does not start: the node cannot continue. A stopping node keeps its
   *   role
   */
  change({ role, setup, work }: RoleChange): Promise<void> {
    const { threads } = this.#deps;
    return this.#turns.run(async () => {
      const ended = Promise.withResolvers<void>();
      this.#change = ended.promise;
      try {
        await this.#whileHeld(async (old) => {
          await threads.change(role.threads, setup, async () => {
            old.interrupt();
            await work();
            old.close();
          });
          const current = this.#now();
          this.#current = { ...current, role, setup, services: current.open(role, setup) };
        });
      } finally {
        this.#change = undefined;
        ended.resolve();
      }
    });
  }

  /** Answers open requests, because the node is stopping. */
  stop(): void {
    this.services.stop();
  }

  #now(): TakenRole {
    invariant(this.#current !== undefined, "the node has taken its first role");
    return this.#current;
  }

  async #whileHeld(work: (services: RoleServices) => Promise<void>): Promise<void> {
    const { queryPool } = this.#deps;
    const { services } = this;
    services.l1.hold();
    services.hold();
    try {
      await queryPool.hold();
      await work(services);
    } finally {
      queryPool.release();
      services.release();
      // Uses the current role, which may be a new one.
      this.services.l1.release();
    }
  }

  /**
   * Returns a role's final decision. A temporary refusal by a role that was replaced meanwhile is retried in
   * the new one: the old one may not have handled it.
   */
  async #decide(
    question: (services: RoleServices) => Promise<SubmitAnswer>,
  ): Promise<SubmitAnswer> {
    for (;;) {
      const services = await this.#settled();
      const answer = await question(services);
      const isDecided =
        answer.kind === "accepted" ||
        (answer.kind === "rejected" && answer.retryAfterSeconds === undefined);
      if (isDecided || (this.#change === undefined && services === this.services)) return answer;
    }
  }

  /** Returns a response of the current role; retries if the role was replaced meanwhile. */
  async #ask<T>(question: (services: RoleServices) => Promise<T>): Promise<T> {
    for (;;) {
      const services = await this.#settled();
      const answer = await question(services);
      if (this.#change === undefined && services === this.services) return answer;
    }
  }

  async #settled(): Promise<RoleServices> {
    while (this.#change !== undefined) await this.#change;
    return this.services;
  }
}
