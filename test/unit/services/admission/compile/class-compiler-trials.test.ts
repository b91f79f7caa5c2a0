import { describe, expect, test } from "bun:test";
import { settle } from "#test/helpers/admission-world.ts";
import {
  COMPILED,
  compilerWorld,
  type FakeCompiler,
  lastClass,
  onlyOf,
  workOff,
} from "#test/helpers/fake-compiler.ts";

const compiled = { kind: "compiled", ...COMPILED.compiled } as const;

describe("trials", () => {
  test("leave the last compiler to declarations", async () => {
    const { compilers, ask } = compilerWorld(2);
    void ask(1n, 10n, 1, true);
    void ask(2n, 11n, 1, true);
    expect(compilers.map(({ received }) => received.length)).toEqual([1, 0]);
    void ask(3n, 12n);
    expect(compilers.map(({ received }) => received.length)).toEqual([1, 1]);
    compilers[0]?.answer(COMPILED);
    await settle();
    expect(compilers[0]?.received).toHaveLength(2);
  });

  test("of a sender get a fifth of the time while declarations are queued, also its own", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const trials = [10n, 11n, 12n].map((classHash) => ask(1n, classHash, 1, true));
    const declared = [20n, 21n, 22n, 23n, 24n].map((classHash) => ask(1n, classHash));
    const order = await workOff(onlyOf(compilers), 8, () => timer.advance(1000));
    expect(order).toEqual([10n, 20n, 21n, 22n, 23n, 11n, 24n, 12n]);
    await Promise.all([...trials, ...declared]);
  });

  test("give way to declarations in a full queue", async () => {
    const { ask } = compilerWorld(1, { maxCount: 2 });
    void ask(1n, 10n);
    void ask(2n, 11n);
    const trial = ask(3n, 12n, 1, true);
    void ask(4n, 13n);
    expect((await trial).kind).toBe("busy");
    expect((await ask(5n, 14n, 1, true)).kind).toBe("busy");
  });

  test("share one compilation with a declaration of the same class", async () => {
    const { compilers, ask } = compilerWorld();
    void ask(9n, 1n);
    const both = [ask(1n, 7n, 1, true), ask(1n, 7n)];
    const order = await workOff(onlyOf(compilers), 2, () => undefined);
    expect(order).toEqual([1n, 7n]);
    expect(await Promise.all(both)).toEqual([compiled, compiled]);
    expect(onlyOf(compilers).received).toHaveLength(2);
  });
});

describe("declarations", () => {
  test("of proven senders get twice the time of others while both are queued", async () => {
    const { compilers, timer, ask } = compilerWorld();
    void ask(9n, 1n);
    const others = [10n, 11n, 12n].map((classHash) => ask(classHash, classHash));
    const paid = [20n, 21n, 22n].map((classHash) => ask(7n, classHash, 1, false, "proven"));
    const order = await workOff(onlyOf(compilers), 7, () => timer.advance(1000));
    expect(order.slice(1, 4).filter((classHash) => classHash >= 20n)).toEqual([20n, 21n]);
    await Promise.all([...others, ...paid]);
  });

  test("of other senders give way to those of proven ones in a full queue", async () => {
    const { ask } = compilerWorld(1, { maxCount: 1 });
    void ask(1n, 10n);
    const other = ask(2n, 11n);
    void ask(3n, 12n, 1, false, "proven");
    expect((await other).kind).toBe("busy");
    expect((await ask(4n, 13n)).kind).toBe("busy");
  });

  test("of doubtful senders leave the last compiler free", () => {
    const { compilers, ask } = compilerWorld(2);
    void ask(1n, 10n, 1, false, "doubtful");
    void ask(2n, 11n, 1, false, "doubtful");
    expect(compilers.map(({ received }) => received.length)).toEqual([1, 0]);
  });
});

describe("declarations from one address", () => {
  const fromAddress = (world: ReturnType<typeof compilerWorld>, sender: bigint) =>
    world.ask(sender, 100n + sender, 1, false, "plain", "192.0.2.1");

  test("share one part of the time, however many senders they have", async () => {
    const world = compilerWorld();
    for (let sender = 1n; sender <= 6n; sender++) void fromAddress(world, sender);
    const other = [20n, 21n].map((hash) => world.ask(9n, hash, 1, false, "plain", "192.0.2.2"));
    const order = await workOff(onlyOf(world.compilers), 5, () => world.timer.advance(1000));
    expect(order.slice(1)).toEqual([20n, 102n, 21n, 103n]);
    await Promise.all(other);
  });

  test("do not reduce the share of proven senders", async () => {
    const world = compilerWorld();
    for (let sender = 1n; sender <= 6n; sender++) void fromAddress(world, sender);
    void world.ask(9n, 20n, 1, false, "proven", "192.0.2.1");
    const order = await workOff(onlyOf(world.compilers), 2, () => world.timer.advance(1000));
    expect(order[1]).toBe(20n);
  });

  test("come last once the address is demoted, including queued ones", async () => {
    const world = compilerWorld(2);
    for (let sender = 1n; sender <= 6n; sender++) void fromAddress(world, sender);
    expect(world.compilers.map(({ received }) => received.length)).toEqual([1, 1]);
    world.service.demote("192.0.2.1");
    void world.ask(9n, 20n);
    void world.ask(9n, 21n);
    const [first, second] = world.compilers;
    first?.answer(COMPILED);
    await settle();
    expect(lastClass(first as FakeCompiler)).toBe(20n);
    second?.answer(COMPILED);
    await settle();
    expect(lastClass(second as FakeCompiler)).toBe(21n);
    first?.answer(COMPILED);
    await settle();
    expect(lastClass(first as FakeCompiler)).toBe(103n);
    second?.answer(COMPILED);
    await settle();
    // The last compiler stays free.
    expect(second?.received).toHaveLength(2);
  });
});

describe("a queue", () => {
  test("rejects further classes above its maximum wait, and returns a retry time", async () => {
    const { compilers, timer, ask } = compilerWorld(1, { maxWaitMs: 10_000 });
    // Each takes 4 s: two of them fit.
    for (let i = 1n; i <= 8n; i++) {
      void ask(i, i);
      timer.advance(4_000);
      onlyOf(compilers).answer(COMPILED);
      await settle();
    }
    void ask(9n, 9n);
    const waiting = [10n, 11n].map((hash) => ask(hash, hash));
    const refused = await ask(12n, 12n);
    expect(refused).toMatchObject({ kind: "busy" });
    const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(11);
    expect(retryAfterSeconds).toBeLessThanOrEqual(13);
    expect(await workOff(onlyOf(compilers), 3, () => undefined)).toEqual([9n, 10n, 11n]);
    await Promise.all(waiting);
  });

  test("above its maximum wait drops doubtful declarations for better ones", async () => {
    const { compilers, timer, ask } = compilerWorld(1, { maxWaitMs: 10_000 });
    for (let i = 1n; i <= 8n; i++) {
      void ask(i, i);
      timer.advance(4_000);
      onlyOf(compilers).answer(COMPILED);
      await settle();
    }
    void ask(9n, 9n);
    const last = [10n, 11n].map((hash) => ask(hash, hash, 1, false, "doubtful", "192.0.2.1"));
    void ask(12n, 12n);
    expect(await last[1]).toMatchObject({ kind: "busy" });
    expect(await workOff(onlyOf(compilers), 3, () => undefined)).toEqual([9n, 12n, 10n]);
  });

  test("accepts one class however long it may take", async () => {
    const { compilers, ask } = compilerWorld(1, { maxWaitMs: 1 });
    void ask(1n, 1n);
    void ask(2n, 2n, 10_000);
    expect(await ask(3n, 3n, 10_000)).toMatchObject({ kind: "busy" });
    expect(await workOff(onlyOf(compilers), 2, () => undefined)).toEqual([1n, 2n]);
  });
});

describe("a compilation timeout", () => {
  const DEADLINE_MS = 60_000;

  test("of a trial is remembered for trials only", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const trial = ask(1n, 7n, 1, true);
    timer.advance(DEADLINE_MS);
    expect((await trial).kind).toBe("refused");
    await settle();
    expect((await ask(2n, 7n, 1, true)).kind).toBe("refused");
    const declared = ask(1n, 7n);
    onlyOf(compilers).answer(COMPILED);
    expect(await declared).toEqual(compiled);
  });

  test("keeps its sender from the last compiler for ten minutes", async () => {
    const { compilers, timer, ask } = compilerWorld(2);
    const first = ask(1n, 7n);
    timer.advance(DEADLINE_MS);
    expect((await first).kind).toBe("refused");
    await settle();
    const counts = () => compilers.map(({ received }) => received.length);
    const [before = 0, other = 0] = counts();
    void ask(1n, 8n);
    void ask(1n, 9n);
    expect(counts()[0] === before || counts()[1] === other).toBe(true);
    void ask(2n, 10n);
    expect(counts()).toEqual([before + 1, other + 1]);
  });

  test("no longer restricts its sender after ten minutes", async () => {
    const { compilers, timer, ask } = compilerWorld(2);
    const first = ask(1n, 7n);
    timer.advance(DEADLINE_MS);
    await first;
    await settle();
    timer.advance(600_000);
    void ask(1n, 8n);
    void ask(1n, 9n);
    expect(compilers.flatMap(({ received }) => received)).toHaveLength(3);
  });
});
