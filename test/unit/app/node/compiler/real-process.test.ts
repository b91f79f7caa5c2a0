import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "#base/codec/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import {
  casmClassCodec,
  compiledClassHash,
  encodeContractClass,
  type SierraClass,
  sierraClassFromJson,
} from "#protocol/chain/index.ts";
import { type RequestProcess, startCompilerProcess } from "#app/node/compiler/compiler-process.ts";
import { ChildArchive } from "#app/node/compiler/child-archive.ts";
import type { ArchivePlace } from "#app/node/compiler/compiler-messages.ts";
import { ProcessCompiler } from "#app/node/compiler/process-compiler.ts";
import { frameOf } from "#app/node/compiler/frames.ts";
import { ClassCompiler } from "#services/admission/index.ts";
import { COMPILE_LIMITS } from "#services/admission/compile/compile-limits.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { processUse } from "#io/processes/index.ts";

const ROOT = join(import.meta.dir, "../../../../..");
const ENTRY = join(ROOT, "bin/appchain.ts");
/** Most tests need any class: the deployer compiles in a fifth of the account's time. */
const SMALL = join(ROOT, "contracts/l2/universal_deployer.sierra.json");
const ACCOUNT = join(ROOT, "contracts/l2/account.sierra.json");
/** Takes seconds and more than 200 MiB to compile. */
const LARGE = fixturePath("casm-golden", "e1c7b9c73e5c.sierra.json");

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const classOf = (path: string): SierraClass => sierraClassFromJson(readFileSync(path, "utf8"));

/** A compiler in a real process. */
function realCompiler(
  maxResidentMib = 1024,
  archive: ArchivePlace | null = null,
  niceness = 0,
  maxCpuMs = 60_000,
) {
  const processes: RequestProcess[] = [];
  const compiler = new ProcessCompiler({
    limits: { residentBytes: maxResidentMib * 2 ** 20, cpuMs: maxCpuMs },
    maxBytecodeSize: 81_920,
    archive,
    use: processUse,
    timer: SYSTEM_TIMER,
    async start(signal) {
      const process = await startCompilerProcess(niceness, signal, SYSTEM_TIMER);
      processes.push(process);
      return process;
    },
  });
  stops.push(() => compiler.stop());
  return { compiler, processes };
}

function serviceOf(compiler: ProcessCompiler, deadlineMs = 60_000) {
  const service = new ClassCompiler({
    compilers: [compiler],
    limits: { ...COMPILE_LIMITS, deadlineMs },
    timer: SYSTEM_TIMER,
  });
  return (classHash: bigint, path: string) =>
    service.compile({ sender: 1n, classHash, classBytes: encodeContractClass(classOf(path)) });
}

/** Result of compiling in this process. */
function compiledHere(path: string) {
  const casm = compileClass(classOf(path), { maxBytecodeSize: 81_920 });
  return {
    kind: "compiled",
    casmJson: stringifyJson(casmClassCodec.encode(casm)),
    bytecodeLength: casm.bytecode.length,
    hashes: {
      poseidon: compiledClassHash(casm, "poseidon"),
      blake: compiledClassHash(casm, "blake"),
    },
  } as const;
}

const compilations = new Map<string, ReturnType<typeof compiledHere>>();

/** Like {@link compiledHere}, but compiles each class once. */
function expected(path: string): ReturnType<typeof compiledHere> {
  const known = compilations.get(path) ?? compiledHere(path);
  compilations.set(path, known);
  return known;
}

const isThere = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

async function waitUntil(isDone: () => boolean): Promise<void> {
  const untilMs = Date.now() + 20_000;
  while (!isDone() && Date.now() < untilMs) await Bun.sleep(20);
  expect(isDone()).toBe(true);
}

const onLinux = existsSync("/proc/self/task");

test("a process killed during its start is reported with the signal", async () => {
  const stop = new AbortController();
  const started = startCompilerProcess(0, stop.signal, SYSTEM_TIMER);
  stop.abort();
  expect(started).rejects.toThrow(
    "the compiler process did not get ready: it was killed (SIGKILL), as systems do that are short of memory",
  );
});

describe("a real compiler process", () => {
  test("produces the same code and hashes as this process, repeatedly", async () => {
    const { compiler, processes } = realCompiler();
    const compile = serviceOf(compiler);
    const wanted = expected(ACCOUNT);
    for (const classHash of [1n, 2n]) expect(await compile(classHash, ACCOUNT)).toEqual(wanted);
    expect(processes).toHaveLength(1);
  }, 60_000);

  test("serves results stored by an earlier process, and stores its own", async () => {
    using folder = temporaryFolder();
    const place = { path: folder.file("compiled.db"), chainId: "TEST" };
    const archive = new ChildArchive(() => undefined);
    await archive.open(place);
    const marked = { casmJson: "{}", bytecodeLength: 3, hashes: { poseidon: 1n, blake: 2n } };
    archive.put(7n, marked);
    const { compiler } = realCompiler(1024, place);
    const classBytes = encodeContractClass(classOf(SMALL));
    const [known, compiled] = [
      await compiler.compile({ classHash: 7n, classBytes }),
      await compiler.compile({ classHash: 8n, classBytes }),
    ];
    const { kind, ...wanted } = expected(SMALL);
    expect([known, compiled]).toEqual([
      { kind, compiled: marked },
      { kind, compiled: wanted },
    ]);
    expect(archive.get(8n)).toEqual(wanted);
    archive.close();
    await compiler.stop();
  }, 60_000);

  test.skipIf(!onLinux).each(bySize({ quick: [19], full: [19, 7] }))(
    "runs all of its threads at priority %d",
    async (niceness) => {
      const { compiler } = realCompiler(1024, null, niceness);
      const { pid } = await compiler.warm(new AbortController().signal);
      await compiler.compile({
        classHash: 1n,
        classBytes: encodeContractClass(classOf(SMALL)),
      });
      const priorities = readdirSync(`/proc/${pid}/task`).map((id) => {
        const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8");
        return Number(stat.replace(/^.*\) /, "").split(" ")[16]);
      });
      expect([...new Set(priorities)]).toEqual([niceness]);
    },
    60_000,
  );

  test.skipIf(!onLinux)(
    "receives JavaScriptCore settings, and no variable of the node",
    async () => {
      process.env["COMPILER_TEST_SECRET"] = "secret";
      const child = await startCompilerProcess(0, new AbortController().signal, SYSTEM_TIMER);
      delete process.env["COMPILER_TEST_SECRET"];
      stops.push(() => child.stop());
      const entries = readFileSync(`/proc/${child.pid}/environ`, "utf8").split("\0");
      expect(new Set(entries.filter((entry) => entry !== ""))).toEqual(
        new Set([
          "BUN_JSC_thresholdForFTLOptimizeAfterWarmUp=1000000",
          "BUN_JSC_thresholdForFTLOptimizeSoon=100000",
          "BUN_JSC_thresholdForJITAfterWarmUp=5000",
          "BUN_JSC_thresholdForJITSoon=3000",
          "BUN_JSC_thresholdForOptimizeAfterWarmUp=20000",
          "BUN_JSC_thresholdForOptimizeSoon=5000",
          "BUN_JSC_useWarmUpMarkedBlocks=0",
        ]),
      );
    },
  );

  sharedTest("is killed at the deadline, and the next class is compiled", async () => {
    const { compiler, processes } = realCompiler();
    const { pid } = await compiler.warm(new AbortController().signal);
    expect(await serviceOf(compiler, 300)(1n, LARGE)).toEqual({
      kind: "refused",
      code: "COMPILATION_FAILED",
      reason: "compiling took longer than 0.3 s",
    });
    await waitUntil(() => !isThere(pid));
    expect(await serviceOf(compiler)(2n, SMALL)).toEqual(expected(SMALL));
    expect(processes).toHaveLength(2);
  });

  sharedTest("is killed above its processor time, and the next class is compiled", async () => {
    const { compiler, processes } = realCompiler(1024, null, 0, 200);
    expect(await serviceOf(compiler)(1n, LARGE)).toEqual({
      kind: "refused",
      code: "COMPILATION_FAILED",
      reason: "compiling took more than 0.2 s of processor time",
    });
    await waitUntil(() => !isThere(processes[0]?.pid ?? 0));
  });

  test("is not killed while suspended for longer than its processor time", async () => {
    const { compiler } = realCompiler(1024, null, 0, 3_000);
    const { pid } = await compiler.warm(new AbortController().signal);
    process.kill(pid, "SIGSTOP");
    const asked = serviceOf(compiler)(1n, SMALL);
    await Bun.sleep(3_500);
    process.kill(pid, "SIGCONT");
    expect(await asked).toEqual(expected(SMALL));
  }, 60_000);

  sharedTest("is killed above its memory limit, and the next class is compiled", async () => {
    const { compiler, processes } = realCompiler(170);
    const compile = serviceOf(compiler);
    expect(await compile(1n, LARGE)).toEqual({
      kind: "refused",
      code: "COMPILATION_FAILED",
      reason: "compiling took more than 170 MiB of memory",
    });
    await waitUntil(() => !isThere(processes[0]?.pid ?? 0));
    expect(await compile(2n, SMALL)).toEqual(expected(SMALL));
  });

  test("is replaced when killed from outside, and the class is retried", async () => {
    const { compiler, processes } = realCompiler();
    const { pid } = await compiler.warm(new AbortController().signal);
    const asked = serviceOf(compiler)(1n, ACCOUNT);
    await Bun.sleep(20);
    process.kill(pid, "SIGKILL");
    expect(await asked).toEqual(expected(ACCOUNT));
    expect(processes).toHaveLength(2);
  }, 60_000);

  test("exits if its input is malformed", async () => {
    const request = new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n");
    const garbages = [request, Uint8Array.of(255, 255, 255, 255, 1)];
    for (const garbage of bySize({ quick: [request], full: garbages })) {
      const child = Bun.spawn([process.execPath, ENTRY, "__compiler", "0"], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "ignore",
      });
      await child.stdin.write(garbage);
      await child.stdin.flush();
      expect(await child.exited).toBe(1);
    }
  }, 60_000);

  test("responds to garbage in a frame, and to the next class", async () => {
    const child = await startCompilerProcess(0, new AbortController().signal, SYSTEM_TIMER);
    stops.push(() => child.stop());
    const answer = await child.request(frameOf(new Uint8Array(1000).fill(7)));
    expect(answer?.[0]).toBe(1);
    expect((await child.request(new Uint8Array()))?.[0]).toBe(1);
  }, 60_000);

  if (onLinux) {
    sharedTest("does not outlive a node that is killed while it compiles", async () => {
      const helper = join(ROOT, "test/helpers/compiler-parent.ts");
      const parent = Bun.spawn([process.execPath, helper, LARGE], { stdout: "pipe" });
      const { value } = await parent.stdout.getReader().read();
      const pid = Number(new TextDecoder().decode(value));
      expect(isThere(pid)).toBe(true);
      parent.kill("SIGKILL");
      await parent.exited;
      const untilMs = Date.now() + 1000;
      while (isThere(pid) && Date.now() < untilMs) await Bun.sleep(10);
      const remains = isThere(pid);
      if (remains) process.kill(pid, "SIGKILL");
      expect(remains).toBe(false);
    });
  }
});
