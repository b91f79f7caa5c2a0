import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { encodeContractClass } from "#protocol/chain/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { classOf, COMPILED, compilerWorld, onlyOf } from "#test/helpers/fake-compiler.ts";

const requestOf = (sender: bigint, number: bigint, signal: AbortSignal) => ({
  sender,
  classHash: number,
  classBytes: encodeContractClass(classOf(number)),
  isTrial: true,
  signal,
});

describe("an abandoned class compilation", () => {
  test("is dropped from the queue and frees its slot", async () => {
    const { service, compilers, ask } = compilerWorld(1, { maxCount: 1 });
    void ask(1n, 10n);
    const gone = new AbortController();
    const dropped = service.compile(requestOf(2n, 11n, gone.signal));
    expect((await ask(3n, 12n, 1, true)).kind).toBe("busy");
    gone.abort();
    expect((await dropped).kind).toBe("busy");
    void ask(3n, 12n, 1, true);
    onlyOf(compilers).answer(COMPILED);
    await settle();
    expect(onlyOf(compilers).received).toEqual([
      encodeContractClass(classOf(10n)),
      encodeContractClass(classOf(12n)),
    ]);
  });

  test("continues for other requests of the same or another sender", async () => {
    const { service, compilers, ask } = compilerWorld();
    void ask(9n, 1n);
    const gone = new AbortController();
    const dropped = service.compile(requestOf(1n, 7n, gone.signal));
    const others = [ask(1n, 7n, 1, true), ask(2n, 7n, 1, true)];
    gone.abort();
    expect((await dropped).kind).toBe("busy");
    onlyOf(compilers).answer(COMPILED);
    await settle();
    onlyOf(compilers).answer(COMPILED);
    const outcomes = await Promise.all(others);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["compiled", "compiled"]);
  });

  test("finishes if already running, and its result serves the next request", async () => {
    const { service, compilers, ask } = compilerWorld();
    const gone = new AbortController();
    const dropped = service.compile(requestOf(1n, 7n, gone.signal));
    gone.abort();
    expect((await dropped).kind).toBe("busy");
    expect(onlyOf(compilers).kills).toBe(0);
    onlyOf(compilers).answer(COMPILED);
    await settle();
    expect((await ask(2n, 7n, 1, true)).kind).toBe("compiled");
    expect(onlyOf(compilers).received).toHaveLength(1);
  });

  test("removes its abort listener once it is answered", async () => {
    const { service, compilers } = compilerWorld();
    const { signal } = new AbortController();
    const compiled = service.compile(requestOf(1n, 7n, signal));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    onlyOf(compilers).answer(COMPILED);
    await compiled;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("is not queued if the request was already aborted", async () => {
    const { service, compilers } = compilerWorld();
    expect((await service.compile(requestOf(1n, 7n, AbortSignal.abort()))).kind).toBe("busy");
    expect(onlyOf(compilers).received).toEqual([]);
  });

  test("frees its request slot, so a flood of aborts leaves room", async () => {
    const { service, ask } = compilerWorld(1, { maxRequests: 3 });
    void ask(1n, 1n);
    for (let i = 2n; i < 50n; i++) {
      const gone = new AbortController();
      const dropped = service.compile(requestOf(i, i, gone.signal));
      gone.abort();
      await dropped;
    }
    const kept = ask(60n, 60n);
    const answered = await Promise.race([kept, settle().then(() => "waits")]);
    expect(answered).toBe("waits");
  });
});
