import type { Following, MempoolLookup, SyncStatus, TransactionSubmitter } from "#api/rpc/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import type { RoleServices } from "./role-services.ts";
import { readinessReason } from "../../setup/readiness-reasons.ts";
import { invariant } from "#base/errors/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import type { NodeThreads } from "../node-threads.ts";
import type { Role } from "./role.ts";
import { type MempoolListing, NOTHING_LISTED } from "#services/admission/index.ts";

/** Dependencies of an {@link ActiveRole}. */
export interface ActiveRoleDeps {
  readonly threads: Pick<NodeThreads, "restart" | "change">;
  readonly queryPool: HoldableQueries;
}

/** The role that a node starts in. */
export interface FirstRole<Services extends RoleServices> {
  readonly role: Role;
  /** Setup of the role's threads. */
  readonly setup: NodeSetup;
  /** Opens the services of a role on the main thread, each time the node takes one. */
  readonly open: (role: Role, setup: NodeSetup) => Services;
  /** Name of a thread that makes no progress; `undefined` while all do. */
  readonly stall: () => string | undefined;
}

/** Queries that wait while threads restart. */
export interface HoldableQueries {
  /** Keeps new queries back. Settles once none is running. */
  hold(): Promise<void>;
  /** Runs the queries that were kept back, and new ones. */
  release(): void;
}

/** A role with its services. */
interface TakenRole<Services> {
  readonly role: Role;
  readonly setup: NodeSetup;
  readonly services: Services;
}

/** What a node becomes. */
export interface RoleChange {
  readonly role: Role;
  /** What its threads are told from now on. */
  readonly setup: NodeSetup;
  /**
   * Done while no thread has a file open. Where it fails, the node stays what it is.
   */
  readonly work: () => Promise<void>;
}

/**
 * The role that a node has now. Threads know the chain from what they have seen: when the chain is
 * reverted, or the role changes, all of them are stopped and begin anew with what is stored. Whoever
 * asks meanwhile waits; connections and subscriptions stay.
 */
export class ActiveRole<Services extends RoleServices> {
  /** Into the mempool, or to whom the role hands submissions; waits while the role changes. */
  readonly submit: TransactionSubmitter = {
    submit: (...sent) => this.#decide(({ submit }) => submit.submit(...sent)),
    declare: (...sent) => this.#decide(({ submit }) => submit.declare(...sent)),
  };
  /** Transactions that wait, in the role's view; waits while the role changes. */
  readonly mempool: Required<MempoolLookup> = {
    find: (hash) => this.#ask(({ mempool }) => mempool.find(hash)),
    rejectionOf: (hash) => this.#ask(async ({ mempool }) => mempool.rejectionOf?.(hash)),
  };
  readonly #deps: ActiveRoleDeps;
  #first: FirstRole<Services> | undefined;
  #current: TakenRole<Services> | undefined;
  /** Ends with the restarts and changes that were asked for. */
  #last: Promise<void> = Promise.resolve();
  /** Settles when the change that is under way has ended; `undefined`: there is none. */
  #change: Promise<void> | undefined;

  constructor(deps: ActiveRoleDeps) {
    this.#deps = deps;
  }

  /** Takes the role that the node starts in. Called once, before anything else. */
  take(first: FirstRole<Services>): void {
    this.#first = first;
    this.#current = {
      role: first.role,
      setup: first.setup,
      services: first.open(first.role, first.setup),
    };
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
  get services(): Services {
    return this.#now().services;
  }

  /** Returns the oldest transactions that wait on this node, at most `limit`; settles after a change of role. */
  waiting(limit: number): Promise<MempoolListing> {
    return this.#ask(async ({ mempool }) => mempool.list?.(0, limit) ?? NOTHING_LISTED);
  }

  /** As {@link RoleServices.syncStatus}, in a role that is ready only in sync. */
  syncStatus(): SyncStatus | false {
    const { role, services } = this.#now();
    return role.readiness === "serving" ? false : services.syncStatus();
  }

  /** As {@link RoleServices.following}, in a role that is ready only in sync; in any role with the reason to ask another node. */
  following(): Following | null {
    const { role, services } = this.#now();
    const following = role.readiness === "serving" ? null : services.following();
    const reason = readinessReason({
      stall: this.#first?.stall(),
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
   * Has work done while no thread runs, then goes on in the same role, also when the work fails.
   *
   * @throws what `work` throws, and {@link NodeError} when a thread does not start again
   */
  restart(work: () => Promise<void>): Promise<void> {
    const { threads } = this.#deps;
    return this.#inTurn(() =>
      this.#whileHeld((services) =>
        threads.restart(() => {
          services.interrupt();
          return work();
        }),
      ),
    );
  }

  /**
   * Becomes something else. What the old role's threads were told and have not answered is refused;
   * submissions that come meanwhile are the new role's.
   *
   * @throws what `work` throws
   * @throws {NodeError} when a thread does not start; the node cannot go on. When it is stopping, it
   *   stays what it is
   */
  change({ role, setup, work }: RoleChange): Promise<void> {
    const { threads } = this.#deps;
    return this.#inTurn(async () => {
      const ended = Promise.withResolvers<void>();
      this.#change = ended.promise;
      try {
        await this.#whileHeld(async (old) => {
          await threads.change(role.threads, setup, async () => {
            old.interrupt();
            await work();
            old.close();
          });
          invariant(this.#first !== undefined, "the node has taken its first role");
          this.#current = { role, setup, services: this.#first.open(role, setup) };
        });
      } finally {
        this.#change = undefined;
        ended.resolve();
      }
    });
  }

  /** Answers whoever waits: the node is stopping. */
  stop(): void {
    this.services.stop();
  }

  #now(): TakenRole<Services> {
    invariant(this.#current !== undefined, "the node has taken its first role");
    return this.#current;
  }

  /** One after the other: what one holds, another one would release. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #whileHeld(work: (services: Services) => Promise<void>): Promise<void> {
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
      // Of the role that there is now: it may be another one.
      this.services.l1.release();
    }
  }

  /** What a role decided: one that was left before it did may not have looked at it at all. */
  async #decide(question: (services: Services) => Promise<SubmitAnswer>): Promise<SubmitAnswer> {
    for (;;) {
      const services = await this.#settled();
      const answer = await question(services);
      const isDecided =
        answer.kind === "accepted" ||
        (answer.kind === "rejected" && answer.retryAfterSeconds === undefined);
      if (isDecided || (this.#change === undefined && services === this.services)) return answer;
    }
  }

  /** An answer of the role that the node has when it is given. */
  async #ask<T>(question: (services: Services) => Promise<T>): Promise<T> {
    for (;;) {
      const services = await this.#settled();
      const answer = await question(services);
      if (this.#change === undefined && services === this.services) return answer;
    }
  }

  async #settled(): Promise<Services> {
    while (this.#change !== undefined) await this.#change;
    return this.services;
  }
}
