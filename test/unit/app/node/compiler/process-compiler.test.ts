import { describe, expect, test } from "bun:test";
import { decodeCommand, encodeAnswer } from "#app/node/compiler/compiler-messages.ts";
import { ProcessCompiler } from "#app/node/compiler/process-compiler.ts";
import type { RequestProcess } from "#app/node/compiler/compiler-process.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { COMPILED } from "#test/helpers/fake-compiler.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** A process that the test plays. */
class FakeProcess implements RequestProcess {
  readonly told: string[] = [];
  readonly asked: Uint8Array[] = [];
  readonly #ended = Promise.withResolvers<string>();
  #answer: ((answer: Uint8Array | undefined) => void) | undefined;

  readonly pid: number;

  constructor(pid: number) {
    this.pid = pid;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  request(message: Uint8Array): Promise<Uint8Array | undefined> {
    this.asked.push(message);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  answer(answer: Uint8Array | undefined): void {
    this.#answer?.(answer);
  }

  kill(): void {
    this.told.push("kill");
    this.end();
  }

  stop(): Promise<void> {
    this.told.push("stop");
    this.end();
    return Promise.resolve();
  }

  end(): void {
    this.#ended.resolve("it was killed");
    this.answer(undefined);
  }
}

const LIMIT = 1000;
const CPU_LIMIT_MS = 2000;
const CLASS = { classHash: 7n, classBytes: new Uint8Array(3) };
const ARCHIVE = { path: "/somewhere/compiled.db", chainId: "TEST" };
const GOOD = encodeAnswer(COMPILED);

/** A compiler whose processes the test plays. */
function world() {
  const processes: FakeProcess[] = [];
  const timer = new FakeTimer();
  const memory = { bytes: 100, cpuMs: 400 };
  const compiler = new ProcessCompiler({
    limits: { residentBytes: LIMIT, cpuMs: CPU_LIMIT_MS },
    maxBytecodeSize: 10,
    archive: ARCHIVE,
    timer,
    use: () => Promise.resolve({ residentBytes: memory.bytes, cpuMs: memory.cpuMs }),
    start() {
      const process = new FakeProcess(processes.length + 1);
      processes.push(process);
      return Promise.resolve(process);
    },
  });
  /** Compiles a class; the newest process responds with these bytes. */
  const compile = async (answer: Uint8Array | undefined) => {
    const result = compiler.compile(CLASS);
    await settle();
    processes.at(-1)?.answer(answer);
    return result;
  };
  return { processes, timer, memory, compiler, compile };
}

describe("the process compiler", () => {
  test("starts its process for the first class and reuses it", async () => {
    const { processes, compile } = world();
    expect(processes).toHaveLength(0);
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(processes.map(({ told }) => told)).toEqual([[]]);
  });

  test("sends the class with its hash, the limit and the place of the archive", async () => {
    const { processes, compile } = world();
    await compile(GOOD);
    expect(processes[0]?.asked.map(decodeCommand)).toEqual([
      { ...CLASS, maxBytecodeSize: 10, archive: ARCHIVE },
    ]);
  });

  test("ends the process after 30 s without a class, and starts another for the next class", async () => {
    const { processes, timer, compile } = world();
    await compile(GOOD);
    timer.advance(29_999);
    expect(processes[0]?.told).toEqual([]);
    timer.advance(1);
    await settle();
    expect(processes[0]?.told).toEqual(["stop"]);
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(processes).toHaveLength(2);
  });

  test("does not end the process while it compiles, however it was started", async () => {
    const { processes, timer, compiler } = world();
    const result = compiler.compile(CLASS);
    await compiler.warm(new AbortController().signal);
    for (let i = 0; i < 60; i++) {
      timer.advance(1000);
      await settle();
    }
    expect(processes[0]?.told).toEqual([]);
    processes[0]?.answer(GOOD);
    expect(await result).toEqual(COMPILED);
  });

  test("kills the process above its memory limit, and starts another for the next class", async () => {
    const { processes, timer, memory, compiler, compile } = world();
    const result = compiler.compile(CLASS);
    await settle();
    memory.bytes = LIMIT;
    timer.advance(50);
    await settle();
    expect(processes[0]?.told).toEqual([]);
    memory.bytes = LIMIT + 1;
    timer.advance(50);
    expect(await result).toEqual({ kind: "outOfMemory", limitBytes: LIMIT });
    expect(processes[0]?.told[0]).toBe("kill");
    memory.bytes = 100;
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(processes).toHaveLength(2);
  });

  test("kills the process above its processor time for a class, but not for waiting", async () => {
    const { processes, timer, memory, compiler, compile } = world();
    await compile(GOOD);
    // Processor time of earlier classes does not count.
    memory.cpuMs = 90_000;
    const result = compiler.compile(CLASS);
    await settle();
    memory.cpuMs += CPU_LIMIT_MS;
    for (let looks = 0; looks < 10_000; looks++) {
      timer.advance(50);
      await settle();
    }
    expect(processes[0]?.told).toEqual([]);
    memory.cpuMs++;
    timer.advance(50);
    expect(await result).toEqual({ kind: "outOfTime", limitMs: CPU_LIMIT_MS });
    expect(processes[0]?.told[0]).toBe("kill");
    expect(await compile(GOOD)).toEqual(COMPILED);
  });

  test("replaces a process that retains more than half of its memory limit", async () => {
    const { processes, memory, compile } = world();
    memory.bytes = LIMIT / 2 + 1;
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(processes[0]?.told).toEqual(["stop"]);
    await compile(GOOD);
    expect(processes).toHaveLength(2);
  });

  test("replaces a process that exits during a compilation", async () => {
    const { processes, compile } = world();
    expect(await compile(undefined)).toEqual({ kind: "ended", reason: "it was killed" });
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(processes).toHaveLength(2);
  });

  test("replaces a process that exits while idle", async () => {
    const { processes, compile } = world();
    await compile(GOOD);
    processes[0]?.end();
    await settle();
    expect(await compile(GOOD)).toEqual(COMPILED);
    expect(processes).toHaveLength(2);
  });

  test.each([
    ["nothing", []],
    ["an unknown kind", [9, 0, 0]],
    ["a truncated response", [...GOOD.subarray(0, GOOD.length - 1)]],
    ["an extended response", [...GOOD, 0]],
  ])("kills a process that responds with %s", async (_name, garbage) => {
    const { processes, compile } = world();
    expect(await compile(Uint8Array.from(garbage))).toMatchObject({ kind: "ended" });
    expect(processes[0]?.told).toContain("kill");
    expect(await compile(GOOD)).toEqual(COMPILED);
  });

  test("settles a killed compilation and compiles the next class", async () => {
    const { processes, compiler, compile } = world();
    const result = compiler.compile(CLASS);
    await settle();
    compiler.kill();
    expect(await result).toMatchObject({ kind: "ended" });
    expect(processes[0]?.told).toContain("kill");
    expect(await compile(GOOD)).toEqual(COMPILED);
  });

  test("kills its process on stop and starts no other", async () => {
    const { processes, timer, compiler } = world();
    const result = compiler.compile(CLASS);
    await settle();
    await compiler.stop();
    expect(await result).toMatchObject({ kind: "ended" });
    expect(await compiler.compile(CLASS)).toMatchObject({ kind: "unavailable" });
    expect([processes.length, processes[0]?.told[0], timer.alarms]).toEqual([1, "kill", 0]);
  });
});

test("reports itself unavailable if the process does not start, and tries again", async () => {
  let starts = 0;
  const compiler = new ProcessCompiler({
    limits: { residentBytes: LIMIT, cpuMs: CPU_LIMIT_MS },
    maxBytecodeSize: 10,
    archive: null,
    use: () => Promise.resolve(undefined),
    timer: new FakeTimer(),
    start() {
      starts++;
      return Promise.reject(new RangeError("no memory"));
    },
  });
  expect(await compiler.compile(CLASS)).toMatchObject({ kind: "unavailable" });
  expect(await compiler.compile(CLASS)).toMatchObject({ kind: "unavailable" });
  expect(starts).toBe(2);
  await compiler.stop();
});
