import type { NodeError } from "#base/errors/index.ts";
import { NodeThreads, type SingleKind } from "#app/node/threads/node-threads.ts";
import type { ThreadPlan } from "#app/node/threads/plan.ts";
import type { ThreadName } from "#app/node/threads/protocol.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import type { RoleChange } from "#app/node/replication/active-role.ts";
import type { Role } from "#app/node/threads/roles/role.ts";
import { fakeThread, type FakeThread } from "./fake-thread.ts";
import { FakeTimer } from "./fake-timer.ts";

/** Number of fake query threads. */
export const QUERY_THREADS = 3;

/** Number of fake validators. */
export const VALIDATORS = 2;

/** Message to a fake thread. */
export interface SentToThread {
  readonly kind: string;
  readonly init?: {
    readonly setup: NodeSetup;
    readonly pulse: SharedArrayBuffer;
    readonly ports: Readonly<Record<string, unknown>>;
  };
}

/** Setup of fake threads, which ignore it. */
export const STAND_IN_SETUP = {} as NodeSetup;

/** Creates the change of a node to a role, without other effects. */
export const changeTo = (role: Role): RoleChange => ({
  role,
  setup: STAND_IN_SETUP,
  work: () => Promise.resolve(),
});

/** A fake thread, and its failure handler. */
export interface StandIn extends FakeThread<SentToThread> {
  readonly onDeath: (error: NodeError) => void;
}

/**
 * Fake threads for a plan that start and stop immediately, except for those in `silent`, which the
 * test controls.
 */
export function standInThreads(
  plan: ThreadPlan,
  silent: readonly string[] = [],
  added: readonly SingleKind[] = [],
) {
  const order: string[] = [];
  /** Latest thread of each name. */
  const fakes = new Map<string, StandIn>();
  const spawned: string[] = [];
  const deaths: string[] = [];
  const failures: string[] = [];
  const timer = new FakeTimer();
  const spawn = (name: ThreadName, onDeath: (error: NodeError) => void) => {
    const fake = fakeThread<SentToThread>(name, ({ kind }) => {
      if (kind !== "init" && kind !== "stop") return undefined;
      order.push(`${kind} ${name}`);
      if (silent.includes(name)) return undefined;
      return { kind: kind === "init" ? "started" : "stopped" };
    });
    spawned.push(name);
    fakes.set(name, Object.assign(fake, { onDeath }));
    return fake.thread;
  };
  const threads = new NodeThreads(plan, {
    setup: STAND_IN_SETUP,
    queryThreads: QUERY_THREADS,
    validators: VALIDATORS,
    added,
    listener: {
      onDeath: (_, name) => void deaths.push(name),
      onFailure: ({ message }) => void failures.push(message),
    },
    spawn,
    timer,
  });
  return { threads, fakes, spawned, deaths, failures, order, timer };
}
