import { describe, expect, test } from "bun:test";
import { encodeContractClass } from "#protocol/chain/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import {
  classOf,
  COMPILED,
  compilerWorld,
  lastClass,
  onlyOf,
  workOff,
} from "#test/helpers/fake-compiler.ts";

const compiled = { kind: "compiled", ...COMPILED.compiled } as const;

describe("a class", () => {
  test("is compiled once for requests before, during and after the compilation", async () => {
    const { compilers, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const running = [ask(1n, 7n), ask(1n, 7n), ask(2n, 7n)];
    compiler.answer(COMPILED);
    expect(await Promise.all(running)).toEqual([compiled, compiled, compiled]);
    expect(await ask(3n, 7n)).toEqual(compiled);
    expect(compiler.received).toHaveLength(1);
  });

  test("requested by several senders is compiled at the first of their turns", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const busySender = [1n, 2n, 3n, 4n].map((classHash) => ask(1n, classHash));
    const other = ask(2n, 4n);
    const order = await workOff(compiler, 4, () => timer.advance(1000));
    expect(order).toEqual([1n, 4n, 2n, 3n]);
    expect(await other).toEqual(compiled);
    await Promise.all(busySender);
    expect(compiler.received).toHaveLength(4);
  });

  test("of the sender with the least used time comes first", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const asked = [11n, 12n, 13n, 14n].map((classHash) => ask(1n, classHash));
    asked.push(ask(2n, 21n), ask(2n, 22n));
    const order = await workOff(onlyOf(compilers), 6, () => timer.advance(1000));
    expect(order).toEqual([11n, 21n, 12n, 22n, 13n, 14n]);
    await Promise.all(asked);
  });

  test("compiled for one sender is not compiled again at another's turn", async () => {
    const { compilers, ask } = compilerWorld(2);
    const [one, two] = compilers;
    void ask(1n, 1n);
    void ask(1n, 2n);
    const asked = [ask(1n, 3n), ask(2n, 3n)];
    two?.answer(COMPILED);
    await settle();
    one?.answer(COMPILED);
    await settle();
    expect(compilers.flatMap(({ received }) => received)).toHaveLength(3);
    for (const compiler of compilers) compiler.answer(COMPILED);
    expect(await Promise.all(asked)).toEqual([compiled, compiled]);
  });

  test("is compiled in parallel with another one if there are two compilers", () => {
    const { compilers, ask } = compilerWorld(2);
    for (const classHash of [1n, 2n, 3n]) void ask(1n, classHash);
    expect(compilers.map(({ received }) => received.length)).toEqual([1, 1]);
  });
});

describe("a refusal", () => {
  const refused = (reason: string) =>
    ({ kind: "refused", code: "COMPILATION_FAILED", reason }) as const;

  test("is remembered with its code and text", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const first = ask(1n, 7n);
    compiler.answer({ kind: "failed", code: "SIERRA_INVALID", message: "statement 4" });
    expect(await first).toEqual(refused("statement 4"));
    await settle();
    timer.advance(1e9);
    expect(await ask(2n, 7n)).toEqual(refused("statement 4"));
    expect(compiler.received).toHaveLength(1);
  });

  test("of bytecode above the network's limit has the code for large classes", async () => {
    const { compilers, ask } = compilerWorld();
    const first = ask(1n, 7n);
    onlyOf(compilers).answer({ kind: "failed", code: "CASM_TOO_LARGE", message: "too long" });
    const expected = { ...refused("too long"), code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" } as const;
    expect(await first).toEqual(expected);
    await settle();
    expect(await ask(2n, 7n)).toEqual(expected);
  });

  test("of a slow class occurs at the deadline and is remembered for ten minutes", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const first = ask(1n, 7n);
    timer.advance(59_999);
    expect(compiler.kills).toBe(0);
    timer.advance(1);
    expect(compiler.kills).toBe(1);
    expect(await first).toEqual(refused("compiling took longer than 60 s"));
    await settle();
    expect(await ask(2n, 7n)).toEqual(refused("compiling took longer than 60 s"));
    expect(compiler.received).toHaveLength(1);
    timer.advance(600_000);
    void ask(2n, 7n);
    expect(compiler.received).toHaveLength(2);
  });

  test("of a class that needs too much memory is remembered", async () => {
    const { compilers, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const first = ask(1n, 7n);
    compiler.answer({ kind: "outOfMemory", limitBytes: 2 ** 30 });
    expect(await first).toEqual(refused("compiling took more than 1024 MiB of memory"));
    expect(await ask(1n, 7n)).toEqual(await first);
    expect(compiler.received).toHaveLength(1);
  });

  test("follows two crashes during one compilation, and the next class is compiled", async () => {
    const { compilers, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const [first, next] = [ask(1n, 7n), ask(1n, 8n)];
    compiler.answer({ kind: "ended", reason: "crash" });
    await settle();
    compiler.answer({ kind: "ended", reason: "crash" });
    expect(await first).toEqual(refused("the compiler ended while it compiled the class: crash"));
    await settle();
    expect([compiler.received.length, lastClass(compiler)]).toEqual([3, 8n]);
    compiler.answer(COMPILED);
    expect(await next).toEqual(compiled);
  });

  test("at the deadline of the second attempt keeps its reason", async () => {
    const { compilers, timer, ask } = compilerWorld();
    const first = ask(1n, 7n);
    onlyOf(compilers).answer({ kind: "ended", reason: "killed" });
    await settle();
    timer.advance(60_000);
    const reason = "compiling took longer than 60 s";
    expect(await first).toEqual(refused(reason));
    await settle();
    expect(await ask(1n, 7n)).toEqual(refused(reason));
  });

  test("does not follow one crash: the compilation is retried", async () => {
    const { compilers, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const asked = ask(1n, 7n);
    compiler.answer({ kind: "ended", reason: "killed" });
    await settle();
    compiler.answer(COMPILED);
    expect(await asked).toEqual(compiled);
  });

  test("is not remembered if no compiler is available: the node is busy", async () => {
    const { compilers, ask } = compilerWorld();
    const compiler = onlyOf(compilers);
    const first = ask(1n, 7n);
    compiler.answer({ kind: "unavailable", reason: "it was killed" });
    await settle();
    // The cause of a killed compiler may be gone a moment later.
    compiler.answer({ kind: "unavailable", reason: "it was killed again" });
    expect(await first).toMatchObject({
      kind: "busy",
      reason: "the node cannot compile classes now: it was killed again",
    });
    await settle();
    const second = ask(1n, 7n);
    compiler.answer(COMPILED);
    expect(await second).toEqual(compiled);
  });
});

describe("the queue", () => {
  test("drops the newest class of the largest sender when full, with a retry time", async () => {
    const { ask } = compilerWorld(1, { maxCount: 3 });
    void ask(1n, 10n);
    const flood = [11n, 12n, 13n, 14n].map((classHash) => ask(1n, classHash));
    expect(await flood[3]).toEqual({
      kind: "busy",
      reason: "the node is busy: classes wait to be compiled",
      retryAfterSeconds: 1,
    });
    void ask(2n, 21n);
    expect(await flood[2]).toMatchObject({ kind: "busy" });
    const states = await Promise.all(
      flood.map((asked) => Promise.race([asked, Promise.resolve(undefined)])),
    );
    expect(states.map((state) => state?.kind)).toEqual([undefined, undefined, "busy", "busy"]);
  });

  test("is bounded in bytes", async () => {
    const { ask } = compilerWorld(1, { maxSizeBytes: 100 });
    void ask(1n, 10n);
    void ask(1n, 11n, 20);
    expect((await ask(1n, 12n, 30)).kind).toBe("busy");
  });

  test("a class dropped for one sender is still compiled for the others", async () => {
    const { compilers, timer, ask } = compilerWorld(1, { maxCount: 3 });
    void ask(1n, 10n);
    const flood = [11n, 12n].map((classHash) => ask(1n, classHash));
    const shared = ask(2n, 12n);
    const third = ask(3n, 31n);
    expect((await flood[1])?.kind).toBe("busy");
    await workOff(onlyOf(compilers), 4, () => timer.advance(1000));
    expect([await shared, await third, await flood[0]]).toEqual([compiled, compiled, compiled]);
  });

  test("a thousand concurrent requests are all answered, as busy or compiled", async () => {
    const { compilers, timer, ask } = compilerWorld(2);
    const asked = Array.from({ length: 1000 }, (_, i) => ask(BigInt(i % 10), BigInt(i + 1)));
    let answered = 0;
    for (const request of asked) void request.then(() => answered++);
    while (answered < 1000) {
      timer.advance(100);
      for (const compiler of compilers) compiler.answer(COMPILED);
      await settle();
    }
    const outcomes = await Promise.all(asked);
    const isCompiled = outcomes.filter(({ kind }) => kind === "compiled").length;
    const isBusy = outcomes.filter(({ kind }) => kind === "busy").length;
    expect([isCompiled, isBusy]).toEqual([258, 742]);
  });

  test("a thousand requests for one class share one compilation, up to the request limit", async () => {
    const { compilers, ask } = compilerWorld(1, { maxRequests: 900 });
    const asked = Array.from({ length: 1000 }, (_, i) => ask(BigInt(i), 7n));
    onlyOf(compilers).answer(COMPILED);
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter(({ kind }) => kind === "busy")).toHaveLength(100);
    expect(onlyOf(compilers).received).toHaveLength(1);
  });
});

test("stopping answers all requests, kills the compilers and rejects new requests", async () => {
  const { compilers, timer, service, ask } = compilerWorld();
  const asked = [ask(1n, 7n), ask(2n, 7n), ask(1n, 8n)];
  service.stop();
  for (const outcome of await Promise.all(asked)) expect(outcome.kind).toBe("busy");
  await settle();
  expect((await ask(1n, 9n)).kind).toBe("busy");
  expect([onlyOf(compilers).kills, onlyOf(compilers).received.length, timer.alarms]).toEqual([
    1, 1, 0,
  ]);
});

test("requests are bounded by the bytes of their classes, also for a shared class", async () => {
  const bytes = encodeContractClass(classOf(7n)).byteLength;
  const { ask } = compilerWorld(1, { maxRequestBytes: 2 * bytes });
  void ask(1n, 7n);
  void ask(2n, 7n);
  expect((await ask(3n, 7n)).kind).toBe("busy");
});
