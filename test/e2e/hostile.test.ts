import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { HostileClient } from "#test/helpers/hostile-clients.ts";
import { type HostileWay, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { type HostileWork, hostileWorks } from "#test/helpers/hostile-works.ts";
import { MemoryWatch, residentBytes } from "#test/helpers/memory-watch.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

/**
 * Most expensive work that clients may request, one piece after the other, while honest clients
 * continue. Exceeding a bound is a fault; bounds leave room for a slow machine. `HOSTILE_LOG=1`
 * prints the measurements.
 */
const MOST_BYTES = 4 * 2 ** 30;
const IDLE_BYTES = 500 * 2 ** 20;
const IDLE_TIMEOUT_MS = 60_000;
/** On a quiet machine no honest request takes a second; a stall takes many. */
const LONGEST_WAIT_MS = stallBoundMs(5_000);
const TRANSFERS_PER_SECOND = bySize({ quick: 15, full: 40 });
const SETTLED_MS = 500;
const SETTLE_TIMEOUT_MS = 30_000;
const TIMEOUT_MS = 600_000;

/** Work that occupies a thread for many seconds and shows nothing that shorter work does not. */
const LONG_WORK = new Set(["ec_op", "ec_op_chain", "poseidon", "calls with long calldata"]);

const WAYS = ["call", "estimate", "validate", "execute"] as const;
/** Each way does every n-th work with another offset: in quick runs half of them, in full runs each does all. */
const WORK_STEP = bySize({ quick: 8, full: 1 });

/** Works of a way; long ones only for validation, which is short, or with `HOSTILE_ALL`. */
function worksOf(way: HostileWay): readonly HostileWork[] {
  const works = hostileWorks(way);
  if (process.env["HOSTILE_ALL"] !== undefined) return works;
  const from = WAYS.indexOf(way);
  return works.filter(
    ({ name }, i) =>
      (way === "validate" || !LONG_WORK.has(name)) && i % WORK_STEP === from % WORK_STEP,
  );
}

const chain = useChain(({ path }) => ({
  chainConfig: writeHostileConfig(path),
  args: ["--dev-accounts", "20", "--execution-memory", "768"],
}));
let memory: MemoryWatch;
let honest: HonestLoad;

beforeAll(async () => {
  memory = new MemoryWatch(chain.pid);
  honest = new HonestLoad(chain, {
    chainId: "APPCHAIN_DEVNET",
    transfersPerSecond: TRANSFERS_PER_SECOND,
  });
  honest.start();
  await settled();
}, 90_000);

/**
 * Waits until honest clients are served without a backlog, so that startup costs are not measured.
 */
async function settled(): Promise<void> {
  const deadlineMs = Date.now() + SETTLE_TIMEOUT_MS;
  do {
    honest.reset();
    await Bun.sleep(1_000);
  } while (slowestOf(honest.report().slowestMs)[1] > SETTLED_MS && Date.now() < deadlineMs);
}

afterAll(() => memory.stop());

interface Finding {
  readonly work: string;
  readonly peakMiB: number;
  readonly slowest: readonly [string, number];
}

function slowestOf(times: Readonly<Record<string, number>>): readonly [string, number] {
  const sorted = Object.entries(times).sort(([, a], [, b]) => b - a);
  return sorted[0] ?? ["nothing", 0];
}

/** Prints measurements if they are requested. */
function note(...values: readonly unknown[]): void {
  if (process.env["HOSTILE_LOG"] !== undefined) console.log(...values);
}

/** Does all works of a way. @returns those that exceeded a bound */
async function attack(way: HostileWay): Promise<readonly Finding[]> {
  const client = new HostileClient(chain.url, way);
  const faults: Finding[] = [];
  for (const { name, calldata } of worksOf(way)) {
    honest.reset();
    memory.takePeak();
    const startedMs = performance.now();
    await client.run(calldata);
    const tookMs = performance.now() - startedMs;
    const peakMiB = Math.round(memory.takePeak() / 2 ** 20);
    const slowest = slowestOf(honest.report().slowestMs);
    const finding = { work: `${way}: ${name}`, peakMiB, slowest };
    note(finding.work, `${tookMs.toFixed(0)} ms`, `${peakMiB} MiB`, ...slowest);
    if (peakMiB * 2 ** 20 > MOST_BYTES || slowest[1] > LONGEST_WAIT_MS) faults.push(finding);
  }
  return faults;
}

describe("the most expensive work, while honest clients continue", () => {
  for (const way of WAYS) {
    test(
      `as ${way}: keeps memory and honest waits within bounds`,
      async () => {
        expect(await attack(way)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }

  test(
    "in all ways concurrently: keeps memory and honest waits within bounds",
    async () => {
      honest.reset();
      memory.takePeak();
      await Promise.all(
        WAYS.map(async (way) => {
          const client = new HostileClient(chain.url, way);
          for (const { calldata } of worksOf(way).filter((_, i) => i % 4 === 0)) {
            await client.run(calldata);
          }
        }),
      );
      const [request, waitedMs] = slowestOf(honest.report().slowestMs);
      const peakBytes = memory.takePeak();
      note("all ways at once", Math.round(peakBytes / 2 ** 20), "MiB", request, waitedMs);
      expect([request, waitedMs < LONGEST_WAIT_MS]).toEqual([request, true]);
      expect(peakBytes).toBeLessThan(MOST_BYTES);
    },
    TIMEOUT_MS,
  );
});

describe("afterwards", () => {
  test(
    "honest clients saw no error, and their transactions are included",
    async () => {
      const { errors, received } = await honest.stop();
      expect(errors).toEqual([]);
      const last = received.slice(-20);
      for (const hash of last) {
        const receipt = await chain.provider.waitForTransaction(hash, { retryInterval: 100 });
        expect(receipt.isSuccess()).toBe(true);
      }
    },
    TIMEOUT_MS,
  );

  test("memory is released within a minute", async () => {
    const deadlineMs = Date.now() + IDLE_TIMEOUT_MS;
    while (residentBytes(chain.pid) > IDLE_BYTES && Date.now() < deadlineMs) await Bun.sleep(500);
    expect(residentBytes(chain.pid)).toBeLessThan(IDLE_BYTES);
  }, 90_000);
});
