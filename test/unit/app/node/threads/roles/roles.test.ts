import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { DEVNET } from "#app/node/threads/roles/devnet.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import type { Role } from "#app/node/threads/roles/role.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STANDBY } from "#app/node/threads/roles/standby.ts";
import { kindOf, type ThreadName } from "#app/node/threads/protocol.ts";
import { settle } from "#test/helpers/admission-world.ts";
import {
  QUERY_THREADS,
  STAND_IN_SETUP,
  standInThreads,
  VALIDATORS,
} from "#test/helpers/stand-in-threads.ts";

const ROLES: readonly Role[] = [SEQUENCER, DEVNET, FULL_NODE, STANDBY];
const EACH = ROLES.map((role) => [role.name, role] as const);

/** Number of threads of each kind. */
const COUNTS: Readonly<Record<string, number>> = { query: QUERY_THREADS, validator: VALIDATORS };

const kindsOf = ({ threads }: Role): readonly string[] => threads.start.flat();

/** Names of a role's threads. */
const namesOf = (role: Role): readonly string[] =>
  kindsOf(role).flatMap((kind) =>
    kind in COUNTS ? Array.from({ length: COUNTS[kind] ?? 0 }, (_, i) => `${kind}-${i}`) : [kind],
  );

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing was thrown",
    (error: Error) => error.message,
  );

describe.each(EACH)("the role %s", (_, role) => {
  const { threads: plan } = role;

  test("starts and stops each of its threads once", () => {
    const kinds = kindsOf(role);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect<readonly string[]>(plan.stop.flat().toSorted()).toEqual(kinds.toSorted());
    expect(kinds).toContain("query");
  });

  test("connects only threads that it has, each pair once", () => {
    const pairs = plan.edges.map((edge) => [...edge].toSorted().join(" "));
    expect(new Set(pairs).size).toBe(pairs.length);
    for (const kind of plan.edges.flatMap(([from, to]) => [from, to]))
      expect(kindsOf(role)).toContain(kind);
  });

  test("has growth sources that are connected to the query threads", () => {
    for (const teller of new Set(Object.values(plan.growth))) {
      expect(plan.edges).toContainEqual([teller, "query"]);
    }
  });

  test.each(["admission", "validator"])(
    "connects %s threads to the growth sources, if it has any",
    (kind) => {
      if (!kindsOf(role).includes(kind)) return;
      const heard = plan.edges.filter((edge) => edge.includes(kind as never)).flat();
      for (const teller of Object.values(plan.growth)) expect(heard).toContain(teller);
    },
  );

  test("stops block sources before the threads they send to", () => {
    const stageOf = (kind: string) => plan.stop.findIndex((stage) => stage.includes(kind as never));
    const source = plan.growth.deltas;
    const told = plan.edges.flatMap<string>((edge) =>
      edge.includes(source as never) ? edge.filter((kind) => kind !== source) : [],
    );
    for (const kind of told) expect(stageOf(kind)).toBeGreaterThan(stageOf(source));
  });

  test("serves the main and admin contexts", () => {
    expect(role.contexts.main).toContain("main");
    expect(role.contexts.main).toContain("admin");
  });

  test("starts and stops in its stages", async () => {
    const { threads, order, spawned } = standInThreads(plan);
    await threads.started;
    expect(spawned.toSorted()).toEqual(namesOf(role).toSorted());
    const stages = (what: string): string[][] => {
      const lines = order.filter((line) => line.startsWith(what));
      const kinds = lines.map((line) => kindOf(line.slice(what.length + 1) as ThreadName));
      return (what === "init" ? plan.start : plan.stop).map((stage) => {
        const count = stage.reduce((sum, kind) => sum + (COUNTS[kind] ?? 1), 0);
        return [...new Set(kinds.splice(0, count))].toSorted();
      });
    };
    const sorted = (all: Role["threads"]["start"]) => all.map((stage) => stage.toSorted());
    expect<readonly (readonly string[])[]>(stages("init")).toEqual(sorted(plan.start));
    await threads.stop("terminate");
    expect<readonly (readonly string[])[]>(stages("stop")).toEqual(sorted(plan.stop));
  });

  test("gives every thread exactly the connections that it names", async () => {
    const { threads, fakes } = standInThreads(plan);
    await threads.started;
    for (const name of namesOf(role)) {
      const kind = kindOf(name as ThreadName);
      const others = plan.edges.flatMap<string>(([from, to]) =>
        from === kind ? [to] : to === kind ? [from] : [],
      );
      const ports = Object.keys(fakes.get(name)?.sent[0]?.init?.ports ?? {});
      const reached = new Set(ports.map((port) => kindOf(port as ThreadName) as string));
      expect([...reached].toSorted()).toEqual(others.toSorted());
    }
  });

  test("exposes no end of a thread that it does not name", () => {
    const { threads } = standInThreads(plan);
    for (const kind of ["admission", "executor", "committer", "sync", "verifier"] as const) {
      const ask = (): unknown => threads.end(kind).port;
      if (kindsOf(role).includes(kind)) expect(ask()).toBeDefined();
      else expect(ask).toThrow(`the role has a thread ${kind}`);
    }
  });

  describe.each(namesOf(role))("when %s dies", (name) => {
    const death = new NodeError("NODE_WORKER_FAILED", `${name} died`);

    test("during the start, the start fails", async () => {
      const { threads, fakes, deaths, failures } = standInThreads(plan, [name]);
      await settle();
      fakes.get(name)?.onDeath(death);
      expect(await messageOf(threads.started)).toContain(`${name} died`);
      expect<unknown>([deaths, failures]).toEqual([[name], []]);
    });

    test("while all threads run, the node is notified once, with the thread's name first", async () => {
      const { threads, fakes, deaths, failures } = standInThreads(plan);
      await threads.started;
      fakes.get(name)?.onDeath(death);
      expect([deaths, failures]).toEqual([[name], [`${name} died`]]);
    });

    test("during a restart, the restart rejects", async () => {
      const silent: string[] = [];
      const { threads, fakes } = standInThreads(plan, silent);
      await threads.started;
      const restarted = threads.restart(() => {
        silent.push(name);
        return Promise.resolve();
      });
      const told = messageOf(restarted);
      const old = fakes.get(name);
      while (fakes.get(name) === old) await settle();
      fakes.get(name)?.onDeath(death);
      expect(await told).toContain(`${name} died`);
    });

    test("during a stop, the other threads still stop", async () => {
      const silent: string[] = [];
      const { threads, fakes } = standInThreads(plan, silent);
      await threads.started;
      silent.push(name);
      const stopped = threads.stop("terminate");
      await settle();
      fakes.get(name)?.die("killed");
      await stopped;
      expect([...fakes.values()].every(({ isTerminated }) => isTerminated)).toBe(true);
    });
  });
});

describe("a change of role", () => {
  test("stops all threads, does the work, and starts those of the new role", async () => {
    const { threads, order, fakes } = standInThreads(SEQUENCER.threads);
    await threads.started;
    order.length = 0;
    await threads.change(FULL_NODE.threads, STAND_IN_SETUP, () =>
      Promise.resolve(void order.push("work")),
    );
    const at = order.indexOf("work");
    const names = (lines: string[]) => lines.map((line) => line.split(" ")[1] ?? "").toSorted();
    expect(names(order.slice(0, at))).toEqual(namesOf(SEQUENCER).toSorted());
    expect(names(order.slice(at + 1))).toEqual(namesOf(FULL_NODE).toSorted());
    expect(Object.keys(fakes.get("query-0")?.sent[0]?.init?.ports ?? {})).toEqual(["sync"]);
  });

  test("keeps the ends of query threads, and drops those of threads that are gone", async () => {
    const { threads, fakes } = standInThreads(SEQUENCER.threads);
    await threads.started;
    const [query] = threads.queries;
    const executor = threads.end("executor");
    await threads.change(FULL_NODE.threads, STAND_IN_SETUP, () => Promise.resolve());
    expect(threads.queries[0]).toBe(query as never);
    expect(() => threads.end("executor")).toThrow("executor");
    executor.port.send({ kind: "control", id: 1, command: { kind: "closeBlock" } } as never);
    query?.port.send({ kind: "prepare", id: 1 } as never);
    expect(fakes.get("query-0")?.sent.map(({ kind }) => kind)).toEqual(["init", "prepare"]);
    await threads.change(SEQUENCER.threads, STAND_IN_SETUP, () => Promise.resolve());
    expect(threads.end("executor")).not.toBe(executor);
    expect(fakes.get("executor")?.sent.map(({ kind }) => kind)).toEqual(["init"]);
  });

  test("keeps the old role if its work fails", async () => {
    const { threads } = standInThreads(SEQUENCER.threads);
    await threads.started;
    const changed = threads.change(FULL_NODE.threads, STAND_IN_SETUP, () =>
      Promise.reject(new Error("disk")),
    );
    expect(await messageOf(changed)).toBe("disk");
    expect(threads.end("executor")).toBeDefined();
    expect(() => threads.end("sync")).toThrow("sync");
  });

  test("waits for a running restart, and is rejected while the node stops", async () => {
    const { threads, order } = standInThreads(SEQUENCER.threads);
    await threads.started;
    order.length = 0;
    const work = (name: string) => () => Promise.resolve(void order.push(name));
    await Promise.all([
      threads.restart(work("restart")),
      threads.change(FULL_NODE.threads, STAND_IN_SETUP, work("change")),
    ]);
    expect(order.filter((line) => !line.includes(" "))).toEqual(["restart", "change"]);
    expect(order.indexOf("change")).toBeGreaterThan(order.indexOf("init executor"));
    await threads.stop("terminate");
    expect(
      await messageOf(threads.change(SEQUENCER.threads, STAND_IN_SETUP, work("late"))),
    ).toContain("stopping");
  });
});
