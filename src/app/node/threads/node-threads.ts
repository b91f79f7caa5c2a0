import { invariant, NodeError } from "#base/errors/index.ts";
import { type Timer, Turns } from "#base/primitives/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { ThreadEnd } from "../setup/thread-end.ts";
import type { ThreadPlan } from "./plan.ts";
import type { SeveralKind, PlannedKind, ThreadName } from "./protocol.ts";
import { type Spawn, ThreadCrew, type ThreadsListener } from "./thread-crew.ts";
import { type NodeThread, ThreadEnds } from "./thread-ends.ts";

/** Kinds of which a role has at most one thread. */
export type SingleKind = Exclude<PlannedKind, SeveralKind>;

/** Dependencies of {@link NodeThreads}. */
export interface NodeThreadsDeps {
  /** Setup of the threads until the role changes. */
  readonly setup: NodeSetup;
  /** Number of query threads, in every role. */
  readonly queryThreads: number;
  /** Number of validators, in roles that have them. */
  readonly validators: number;
  /** Threads that options add to the plan of every role; as {@link CrewDeps.late}. */
  readonly added: readonly SingleKind[];
  readonly listener: ThreadsListener;
  readonly spawn: Spawn;
  readonly timer: Timer;
}

/**
 * Threads of a node, as planned by its role. Messages sent to a thread before {@link started} resolves are
 * handled once it has started.
 */
export class NodeThreads {
  /** Resolves when all threads have started; rejects with a {@link NodeError} when one does not. */
  readonly started: Promise<void>;
  /** Main thread's ends of the query threads, the same in every role. */
  readonly queries: readonly NodeThread<"query">[];
  readonly #deps: NodeThreadsDeps;
  readonly #ends = new ThreadEnds();
  /** Each value is a {@link NodeThread} of its kind. */
  readonly #single = new Map<SingleKind, unknown>();
  #validators: readonly NodeThread<"validator">[] = [];
  #plan: ThreadPlan;
  #setup: NodeSetup;
  #crew: ThreadCrew;
  /** Restarts and changes; a stop waits for them. */
  readonly #turns = new Turns();
  #isStopped = false;

  constructor(plan: ThreadPlan, deps: NodeThreadsDeps) {
    this.#deps = deps;
    this.#plan = plan;
    this.#setup = deps.setup;
    this.queries = Array.from({ length: deps.queryThreads }, (_, i) =>
      this.#ends.make(`query-${i}`),
    );
    this.#crew = this.#start();
    this.started = this.#crew.started;
  }

  /** Returns the main thread's end of a thread. The plan has to name it. */
  end<Kind extends SingleKind>(kind: Kind): NodeThread<Kind> {
    const end = this.#single.get(kind);
    invariant(end !== undefined, `the role has a thread ${kind}`);
    return end as NodeThread<Kind>;
  }

  /** Main thread's ends of the validators; empty if the plan names none. */
  get validators(): readonly NodeThread<"validator">[] {
    return this.#validators;
  }

  /** As {@link ThreadCrew.pulses}. */
  get pulses(): ThreadCrew["pulses"] {
    return this.#crew.pulses;
  }

  /**
   * Stops all threads, runs `work` while none of them has a file open, and restarts them, even if `work`
   * fails. Ports and flags stay the same; messages sent meanwhile arrive afterwards.
   *
   * @throws errors of `work`, and {@link NodeError} when a thread does not restart, or the node is stopping
   */
  restart(work: () => Promise<void>): Promise<void> {
    return this.#turns.run(() => this.#restart(work, this.#plan, this.#setup));
  }

  /**
   * As {@link restart}, but with other threads and another setup afterwards. Query threads keep their ports.
   * Ports of threads that the new plan does not name are dropped with their queued messages. If `work` fails,
   * the old plan and setup continue.
   */
  change(plan: ThreadPlan, setup: NodeSetup, work: () => Promise<void>): Promise<void> {
    return this.#turns.run(() => this.#restart(work, plan, setup));
  }

  /** As {@link ThreadCrew.stop}, after a restart in progress. */
  async stop(end: ThreadEnd): Promise<void> {
    this.#isStopped = true;
    await this.#turns.idle();
    await this.#crew.stop(end);
  }

  async #restart(work: () => Promise<void>, plan: ThreadPlan, setup: NodeSetup): Promise<void> {
    if (this.#isStopped) throw new NodeError("NODE_STOPPING", "the node is stopping");
    await this.#crew.stop("terminate");
    this.#ends.disconnect();
    try {
      await work();
      this.#plan = plan;
      this.#setup = setup;
    } finally {
      this.#ends.lowerFlags();
      this.#crew = this.#start();
      await this.#crew.started;
    }
  }

  #start(): ThreadCrew {
    const { queryThreads: _, validators, added, ...deps } = this.#deps;
    const ends = this.#ends;
    const kinds = [...this.#plan.start.flat(), ...added];
    for (const kind of this.#single.keys()) if (!kinds.includes(kind)) this.#drop(kind);
    for (const kind of kinds) {
      if (kind === "query" || kind === "validator") continue;
      if (!this.#single.has(kind)) this.#single.set(kind, ends.make(kind));
    }
    this.#keepValidators(kinds.includes("validator") ? validators : 0);
    return new ThreadCrew(
      {
        ...deps,
        setup: this.#setup,
        plan: this.#plan,
        late: added,
        flagOf: (name: ThreadName) => ends.flagOf(name),
      },
      ends.names,
      (name, port) => ends.connect(name, port),
    );
  }

  #keepValidators(count: number): void {
    const known = this.#validators.length;
    for (let i = count; i < known; i++) this.#ends.drop(`validator-${i}`);
    this.#validators = Array.from(
      { length: count },
      (_, i) => this.#validators[i] ?? this.#ends.make(`validator-${i}`),
    );
  }

  #drop(kind: SingleKind): void {
    this.#single.delete(kind);
    this.#ends.drop(kind);
  }
}
