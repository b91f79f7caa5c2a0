import { describe, expect, test } from "bun:test";
import type { Reorg } from "#api/rpc/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { NodeError, StorageError } from "#base/errors/index.ts";
import {
  ChainRevert,
  MAX_REVERTS,
  REVERT_PAUSE_MS,
} from "#app/node/storage/revert/chain-revert.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { startedRole } from "#test/helpers/started-role.ts";
import { standInServices } from "#test/helpers/stand-in-services.ts";
import { STAND_IN_SETUP } from "#test/helpers/stand-in-threads.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const FOUR = { blockNumber: 4, keepReceived: true, keepL1Accepted: true, check: () => undefined };

const SAMPLE_HEADER = (number: number): BlockHeader =>
  ({ number, hash: 0xb00n + BigInt(number) }) as BlockHeader;

/** A revert whose collaborators record their calls; `revert` and `restart` can fail. */
function world({
  revert = undefined as Error | undefined,
  restart = undefined as Error | undefined,
  oldestStateBlock = 0,
  oldestBlock = 0,
} = {}) {
  const timer = new FakeTimer();
  const told: string[] = [];
  const note = (what: string) => (): Promise<void> => {
    told.push(what);
    return Promise.resolve();
  };
  const failures: NodeError[] = [];
  const reorgs: Reorg[] = [];
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads: {
      async restart(work) {
        told.push("stop threads");
        try {
          await work();
        } finally {
          told.push("start threads");
        }
        if (restart !== undefined) throw restart;
      },
      change: note("change"),
    },
    queryPool: { hold: note("hold queries"), release: note("release queries") },
    stall: () => undefined,
    open: () =>
      standInServices({
        hold: note("hold submissions"),
        interrupt: note("interrupt what waits"),
        release: note("release submissions"),
      }),
  });
  const chainRevert = new ChainRevert({
    role,
    view: {
      withdraw: (number) => void told.push(`show up to ${number}`),
      reset(reorg) {
        told.push("reset view");
        if (reorg !== undefined) reorgs.push(reorg);
      },
      chain: {
        oldestStateBlock: () => oldestStateBlock,
        latestNumber: () => 6,
        oldestBlock: () => oldestBlock,
        header: (number) => (number > 6 ? undefined : SAMPLE_HEADER(number)),
      },
    },
    async revert({ blockNumber, keepReceived }) {
      told.push(`revert ${blockNumber} ${keepReceived}`);
      await Bun.sleep(1);
      if (revert !== undefined) throw revert;
    },
    onFailure: (error) => void failures.push(error),
    timer,
  });
  return { chainRevert, told, failures, reorgs, timer };
}

const WHOLE = [
  "hold submissions",
  "hold queries",
  "stop threads",
  "interrupt what waits",
  "show up to 4",
  "revert 4 true",
  "reset view",
  "start threads",
  "release queries",
  "release submissions",
];

describe("reverting the chain of a running node", () => {
  test("holds requests, changes storage while no thread runs, and restarts", async () => {
    const { chainRevert, told, reorgs, timer } = world();
    expect(await chainRevert.to(FOUR)).toEqual([0xb06n, 0xb05n]);
    timer.advance(REVERT_PAUSE_MS);
    expect(told).toEqual(WHOLE);
    expect(reorgs).toEqual([
      { starting: { number: 5, hash: 0xb05n }, ending: { number: 6, hash: 0xb06n } },
    ]);
    expect(await chainRevert.to({ ...FOUR, blockNumber: 6 })).toEqual([]);
    expect(reorgs).toHaveLength(1);
  });

  test("below the first block of a snapshot chain is refused, and stops no thread", async () => {
    const { chainRevert, told, timer } = world({ oldestBlock: 5 });
    expect(await chainRevert.to(FOUR).catch(String)).toContain("begins with block 5");
    timer.advance(REVERT_PAUSE_MS);
    expect(told).toEqual([]);
    expect(await chainRevert.to({ ...FOUR, blockNumber: 5 })).toEqual([0xb06n]);
  });

  test("resumes with the old chain if it fails", async () => {
    const { chainRevert, told, failures, reorgs, timer } = world({
      revert: new StorageError("STORAGE_PRUNED", "no"),
    });
    expect(await chainRevert.to(FOUR).catch(String)).toContain("no");
    timer.advance(REVERT_PAUSE_MS);
    expect(await chainRevert.to(FOUR).catch(String)).toContain("no");
    expect(told).toEqual([...WHOLE, ...WHOLE]);
    expect([failures, reorgs]).toEqual([[], []]);
  });

  test("fails the node if a thread does not start again", async () => {
    const error = new NodeError("NODE_WORKER_FAILED", "no memory");
    const { chainRevert, failures } = world({ restart: error });
    await chainRevert.to(FOUR).catch(() => undefined);
    expect(failures).toEqual([error]);
  });

  test("runs one at a time, with a pause in between", async () => {
    const { chainRevert, told, timer } = world();
    const both = [chainRevert.to(FOUR), chainRevert.to(FOUR)];
    await both[0];
    await Bun.sleep(1);
    expect(told).toEqual(WHOLE);
    timer.advance(REVERT_PAUSE_MS);
    await both[1];
    expect(told).toEqual([...WHOLE, ...WHOLE]);
  });

  test("is refused while too many are queued, and accepted afterwards", async () => {
    const { chainRevert, timer } = world();
    const asked = Array.from({ length: MAX_REVERTS }, () => chainRevert.to(FOUR));
    expect(await chainRevert.to(FOUR).catch(String)).toContain("32 requests to revert the chain");
    for (const one of asked) {
      await one;
      await Bun.sleep(0);
      timer.advance(REVERT_PAUSE_MS);
    }
    expect(await chainRevert.to(FOUR)).toHaveLength(2);
  });

  test("shows blocks until they are gone if the revert may be refused", async () => {
    const { chainRevert, told } = world({ oldestStateBlock: 5 });
    await chainRevert.to(FOUR);
    expect(told).toEqual(WHOLE.filter((what) => what !== "show up to 4"));
  });

  test("hides blocks above genesis immediately, which can always be restored", async () => {
    const { chainRevert, told } = world({ oldestStateBlock: 5 });
    await chainRevert.to({ ...FOUR, blockNumber: 0 });
    expect(told).toContain("show up to 0");
  });

  test("is checked before anything stops, and again when nothing runs", async () => {
    const { chainRevert, told, timer, reorgs } = world();
    const refuse = (): never => {
      throw new StorageError("STORAGE_PRUNED", "gone");
    };
    expect(await chainRevert.to({ ...FOUR, check: refuse }).catch(String)).toContain("gone");
    expect(told).toEqual([]);
    timer.advance(REVERT_PAUSE_MS);
    let checks = 0;
    const later = (): void => {
      if (++checks === 2) refuse();
    };
    expect(await chainRevert.to({ ...FOUR, check: later }).catch(String)).toContain("gone");
    const undone = new Set(["show up to 4", "revert 4 true"]);
    expect(told).toEqual(WHOLE.filter((what) => !undone.has(what)));
    expect(reorgs).toEqual([]);
  });

  test("is refused once reverts end, which they do after the one that runs", async () => {
    const { chainRevert, told, failures } = world();
    const [running, waiting] = [chainRevert.to(FOUR), chainRevert.to(FOUR)];
    await Bun.sleep(0);
    await chainRevert.end("moved");
    expect(told.at(-1)).toBe("release submissions");
    const later = chainRevert.to(FOUR);
    const refused = await Promise.all([waiting, later].map((each) => each.catch(String)));
    expect(refused).toEqual(["DevnetFault: moved", "DevnetFault: moved"]);
    expect(await running).toHaveLength(2);
    expect(told).toEqual(WHOLE);
    expect(failures).toEqual([]);
  });
});
