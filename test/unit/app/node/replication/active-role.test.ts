import { describe, expect, test } from "bun:test";
import type { TransactionSubmitter } from "#api/rpc/index.ts";
import type { RoleServices } from "#app/node/threads/roles/role-services.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import type { Role } from "#app/node/threads/roles/role.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { NodeError } from "#base/errors/index.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { createRandom } from "#test/helpers/random.ts";
import { sentDeclaration } from "#test/helpers/sent-declaration.ts";
import { startedRole } from "#test/helpers/started-role.ts";
import { standInServices } from "#test/helpers/stand-in-services.ts";
import { changeTo, STAND_IN_SETUP, standInThreads } from "#test/helpers/stand-in-threads.ts";

type Outcome = Awaited<ReturnType<TransactionSubmitter["submit"]>>;

const INVOKE = emptyInvoke(1n, 0n);
const FIXED_SEED = 20_261_122;

/**
 * Services that reply a moment later, and never to requests from before the threads stopped: as
 * with admission, those are settled when the role is closed.
 */
function slowServices(role: Role, note: (what: string) => void): RoleServices {
  const open = new Set<() => void>();
  let isClosed = false;
  const later = <T>(answer: T, gone: T): Promise<T> => {
    if (isClosed) throw new NodeError("NODE_STOPPING", `${role.name} is asked after its end`);
    return new Promise((resolve) => {
      const end = (): void => resolve(gone);
      open.add(end);
      setTimeout(() => {
        if (open.delete(end)) resolve(answer);
      }, 1);
    });
  };
  const gone = (): Outcome => ({
    kind: "rejected",
    code: "UNEXPECTED_ERROR",
    reason: `interrupted in ${role.name}`,
  });
  const take = (): Promise<Outcome> => {
    const hash = role === SEQUENCER ? 1n : 2n;
    return later<Outcome>({ kind: "accepted", transactionHash: hash }, gone());
  };
  const said = (what: string) => () => note(`${role.name}: ${what}`);
  return standInServices({
    submit: { submit: take, declare: take },
    mempool: {
      find: () => later(undefined, undefined),
      rejectionOf: () => later<string | undefined>(`seen by ${role.name}`, undefined),
    },
    hold: said("hold"),
    release: said("release"),
    interrupt() {
      note(`${role.name}: interrupt`);
      for (const end of open) end();
      open.clear();
    },
    close() {
      note(`${role.name}: close`);
      isClosed = true;
    },
    stop: said("stop"),
  });
}

function world(silent: readonly string[] = []) {
  const notes: string[] = [];
  const note = (what: string): void => void notes.push(what);
  const standIns = standInThreads(SEQUENCER.threads, silent);
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads: standIns.threads,
    queryPool: {
      hold: () => Promise.resolve(note("queries: hold")),
      release: () => note("queries: release"),
    },
    stall: () => undefined,
    open(opened) {
      note(`${opened.name}: open`);
      return slowServices(opened, note);
    },
  });
  return { role, notes, ...standIns };
}

const textOf = (outcome: Outcome): string =>
  outcome.kind === "accepted" ? `taken by ${outcome.transactionHash}` : (outcome.reason ?? "");

describe("a change of role", () => {
  test("holds new requests, ends those of the old role, and continues in the new one", async () => {
    const { role, notes, threads } = world();
    await threads.started;
    const before = role.submit.submit(INVOKE, CLIENT);
    const changed = role.change(changeTo(FULL_NODE));
    // Lets the change start.
    await Promise.resolve();
    const meanwhile = [
      role.submit.submit(INVOKE, CLIENT),
      role.submit.declare(sentDeclaration(7n), CLIENT),
    ] as const;
    await changed;
    expect(textOf(await before)).toBe("interrupted in sequencer");
    expect((await Promise.all(meanwhile)).map(textOf)).toEqual(["taken by 2", "taken by 2"]);
    expect([role.role, notes]).toEqual([
      FULL_NODE,
      [
        "sequencer: open",
        "sequencer: hold",
        "queries: hold",
        "sequencer: interrupt",
        "sequencer: close",
        "full node: open",
        "queries: release",
        "sequencer: release",
      ],
    ]);
  });

  test("retries requests in the new role that the old one did not answer", async () => {
    const { role, threads } = world();
    await threads.started;
    const reason = role.mempool.rejectionOf(1n);
    const found = role.mempool.find(1n);
    await role.change(changeTo(FULL_NODE));
    expect([await reason, await found]).toEqual(["seen by full node", undefined]);
  });

  test("runs its work while no thread runs, and passes the new setup to the threads", async () => {
    const { role, threads, fakes, notes, order } = world();
    await threads.started;
    order.length = 0;
    const setup = { ...STAND_IN_SETUP, gate: null };
    await role.change({
      role: FULL_NODE,
      setup,
      work() {
        expect(order.every((line) => line.startsWith("stop"))).toBe(true);
        return Promise.resolve(void notes.push("work"));
      },
    });
    expect(notes.slice(1, 6)).toEqual([
      "sequencer: hold",
      "queries: hold",
      "sequencer: interrupt",
      "work",
      "sequencer: close",
    ]);
    expect(fakes.get("sync")?.sent[0]?.init?.setup).toBe(setup);
    expect(fakes.get("query-0")?.sent[0]?.init?.setup).toBe(setup);
    expect(role.setup).toBe(setup);
    await role.restart(() => Promise.resolve());
    expect(fakes.get("sync")?.sent[0]?.init?.setup).toBe(setup);
  });

  test("keeps role, setup and pending requests if its work fails", async () => {
    const { role, threads, fakes, notes } = world();
    await threads.started;
    const changed = role.change({
      role: FULL_NODE,
      setup: { ...STAND_IN_SETUP, gate: null },
      work: () => Promise.reject(new NodeError("NODE_X", "disk")),
    });
    await Promise.resolve();
    const meanwhile = role.submit.submit(INVOKE, CLIENT);
    expect(await changed.then(() => "done", String)).toContain("disk");
    expect([role.role, role.setup]).toEqual([SEQUENCER, STAND_IN_SETUP]);
    expect(fakes.get("executor")?.sent[0]?.init?.setup).toBe(STAND_IN_SETUP);
    expect(notes).not.toContain("sequencer: close");
    expect(textOf(await meanwhile)).toBe("taken by 1");
  });

  test("keeps the role and resumes held requests if it fails", async () => {
    const { role, threads, notes } = world();
    await threads.started;
    await threads.stop("terminate");
    const changed = role.change(changeTo(FULL_NODE)).then(() => "done", String);
    const meanwhile = role.submit.submit(INVOKE, CLIENT);
    expect(await changed).toContain("stopping");
    expect(role.role).toBe(SEQUENCER);
    expect(textOf(await meanwhile)).toBe("taken by 1");
    expect(notes.slice(-2)).toEqual(["queries: release", "sequencer: release"]);
  });

  test("rejects if the threads of the new role do not start", async () => {
    const silent: string[] = [];
    const { role, threads, fakes } = world(silent);
    await threads.started;
    silent.push("sync");
    const changed = role.change(changeTo(FULL_NODE)).then(() => "done", String);
    while (!fakes.has("sync")) await Bun.sleep(0);
    fakes.get("sync")?.onDeath(new NodeError("NODE_WORKER_FAILED", "no such store"));
    expect(await changed).toContain("no such store");
  });

  test("waits for another change and for a revert of the chain", async () => {
    const { role, threads, notes } = world();
    await threads.started;
    const work = (): Promise<void> => Promise.resolve(void notes.push("work"));
    await Promise.all([
      role.change(changeTo(FULL_NODE)),
      role.change(changeTo(SEQUENCER)),
      role.restart(work),
    ]);
    expect(role.role).toBe(SEQUENCER);
    const opened = notes.filter((line) => line.endsWith("open"));
    expect(opened).toEqual(["sequencer: open", "full node: open", "sequencer: open"]);
    expect(notes.indexOf("work")).toBeGreaterThan(notes.lastIndexOf("sequencer: open"));
    // Each of them releases only its own hold.
    const queries = notes.filter((line) => line.startsWith("queries"));
    expect(queries).toEqual(
      Array.from({ length: 3 }, () => ["hold", "release"])
        .flat()
        .map((what) => `queries: ${what}`),
    );
  });

  test("there and back under load loses no request and uses the right role for each", async () => {
    const { role, threads, failures } = world();
    await threads.started;
    const random = createRandom(FIXED_SEED);
    const answers: Promise<string>[] = [];
    let isOver = false;
    const load = async (): Promise<void> => {
      while (!isOver) {
        answers.push(
          random.below(2) === 0
            ? role.submit.submit(INVOKE, CLIENT).then(textOf)
            : role.mempool.rejectionOf(1n).then(String),
        );
        if (random.below(3) === 0) await Bun.sleep(0);
        else await Bun.sleep(1);
      }
    };
    const clients = [load(), load(), load(), load()];
    for (let round = 0; round < 10; round++) {
      await Bun.sleep(10 + random.below(10));
      await role.change(changeTo(role.role === SEQUENCER ? FULL_NODE : SEQUENCER));
    }
    isOver = true;
    await Promise.all(clients);
    const given = new Set(await Promise.all(answers));
    expect([...given].toSorted()).toEqual([
      "interrupted in full node",
      "interrupted in sequencer",
      "seen by full node",
      "seen by sequencer",
      "taken by 1",
      "taken by 2",
    ]);
    expect(failures).toEqual([]);
  });
});

describe("a restart in the same role", () => {
  test("holds new requests, interrupts pending ones, and does the work while no thread runs", async () => {
    const { role, threads, notes, order } = world();
    await threads.started;
    const services = role.services;
    order.length = 0;
    await role.restart(() => {
      notes.push("work");
      expect(order.every((line) => line.startsWith("stop"))).toBe(true);
      return Promise.resolve();
    });
    expect(notes.slice(1)).toEqual([
      "sequencer: hold",
      "queries: hold",
      "sequencer: interrupt",
      "work",
      "queries: release",
      "sequencer: release",
    ]);
    expect(role.services).toBe(services);
  });

  test("continues when the work fails", async () => {
    const { role, threads, notes } = world();
    await threads.started;
    const failed = role.restart(() => Promise.reject(new NodeError("NODE_X", "disk")));
    expect(await failed.then(() => "done", String)).toContain("disk");
    expect(notes.at(-1)).toBe("sequencer: release");
  });
});

test("a stop settles requests that wait for the role's threads", () => {
  const { role, notes } = world();
  role.stop();
  expect(notes.at(-1)).toBe("sequencer: stop");
});
