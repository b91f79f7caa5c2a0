import { describe, expect, test } from "bun:test";
import { STOP_COMMIT_MS } from "#services/sequencer/committer-service.ts";
import type { GateAnswer, GateRequest } from "#services/sequencer/publish-gate.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { committer, sealed, tell } from "#test/helpers/committer-world.ts";

/** A gate that the test answers; `asked` records its calls. */
function slowGate() {
  const asked: GateRequest[] = [];
  let answers: ((answer: GateAnswer) => void)[] = [];
  return {
    asked,
    gate(question: GateRequest): Promise<GateAnswer> {
      asked.push(question);
      return new Promise((resolve) => {
        answers.push(resolve);
        question.signal.addEventListener("abort", () => resolve({ kind: "unanswered" }));
      });
    },
    async answer(answer: GateAnswer): Promise<void> {
      await Bun.sleep(1);
      for (const resolve of answers) resolve(answer);
      answers = [];
      await Bun.sleep(1);
    },
  };
}

describe("the publish gate", () => {
  test("receives a committed block before anyone is notified", async () => {
    const slow = slowGate();
    const { service, executor, log } = committer({ gate: slow.gate });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await Bun.sleep(1);
    expect(slow.asked.map(({ blockNumber, bundle }) => [blockNumber, bundle()])).toEqual([
      [0, Uint8Array.of(0)],
    ]);
    expect(log).toEqual(["guard 1 []", "commit 0"]);
    await slow.answer({ kind: "published" });
    expect(log.slice(2)).toContain("main: accepted 0");
    await slow.answer({ kind: "published" });
    expect(log.at(-1)).toBe("main: accepted 1");
    await service.stop();
  });

  test("receives the predecessor, with the epoch if it was produced here", async () => {
    for (const [epoch, expected] of [
      [null, 3],
      [4, null],
    ] as const) {
      const slow = slowGate();
      const { service } = committer({ gate: slow.gate, latest: 7, storedEpoch: 3, epoch });
      service.start();
      await Bun.sleep(1);
      const hash = testHeader(6).hash;
      expect(slow.asked[0]?.predecessor).toEqual({ blockNumber: 6, hash, epoch: expected });
      await slow.answer({ kind: "published" });
      await service.stop();
    }
  });

  test("receives the newest stored block before another one is committed", async () => {
    const slow = slowGate();
    const { service, executor, log } = committer({ gate: slow.gate, latest: 4 });
    service.start();
    tell(executor, sealed(5));
    await Bun.sleep(1);
    expect(slow.asked.map(({ blockNumber }) => blockNumber)).toEqual([4]);
    expect(log).toEqual([]);
    await slow.answer({ kind: "published" });
    expect(log).toEqual(["guard 1 []", "commit 5"]);
    await slow.answer({ kind: "published" });
    await service.stop();
  });

  test("ends the committer if it refuses a block: only the main thread is notified, and nothing more is committed", async () => {
    const { service, executor, main, failures, log } = committer({
      gate: () => Promise.resolve({ kind: "refused", epoch: 3 }),
    });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await service.stop();
    await Bun.sleep(0);
    expect(failures).toEqual([]);
    expect(main.sent).toEqual([{ kind: "gate", state: "refused", blockNumber: 0, epoch: 3 }]);
    expect(log).toEqual(["guard 1 []", "commit 0", "main: refused 0"]);
  });

  test("ends the committer before any commit if it refuses the newest stored block", async () => {
    const { service, executor, log } = committer({
      gate: () => Promise.resolve({ kind: "refused", epoch: null }),
      latest: 4,
    });
    service.start();
    tell(executor, sealed(5));
    await service.stop();
    expect(log).toEqual(["main: refused 4"]);
  });

  test("reports its reasons to wait, and when it opens", async () => {
    const slow = slowGate();
    const { service, executor, main } = committer({ gate: slow.gate });
    service.start();
    tell(executor, sealed(0));
    await Bun.sleep(1);
    slow.asked[0]?.onWaiting("status 503");
    slow.asked[0]?.onWaiting("no answer");
    await slow.answer({ kind: "published" });
    tell(executor, sealed(1));
    await slow.answer({ kind: "published" });
    const about = { kind: "gate", blockNumber: 0 } as const;
    expect(main.sent).toMatchObject([
      { ...about, state: "waiting", reason: "status 503" },
      { ...about, state: "waiting", reason: "no answer" },
      { ...about, state: "open" },
      { kind: "accepted", blockNumber: 0 },
      { kind: "accepted", blockNumber: 1 },
    ]);
    await service.stop();
  });

  test("reports a bug as a failure", async () => {
    const { service, executor, failures } = committer({
      gate: () => Promise.reject(new RangeError("a bug")),
    });
    service.start();
    tell(executor, sealed(0));
    await service.stop();
    await Bun.sleep(0);
    expect(failures).toEqual([new RangeError("a bug")]);
  });
});

describe("the epoch of a block", () => {
  const epochs = async (deps: Parameters<typeof committer>[0]): Promise<readonly number[]> => {
    const { service, executor, commits } = committer(deps);
    service.start();
    tell(executor, sealed((deps?.latest ?? -1) + 1));
    await service.stop();
    return commits.map(({ epoch }) => epoch);
  };

  test("is 0 on a new chain, else its parent's, unless the sequencer sets one", async () => {
    expect(await epochs({})).toEqual([0]);
    expect(await epochs({ latest: 4, storedEpoch: 7 })).toEqual([7]);
    expect(await epochs({ latest: 4, storedEpoch: 7, epoch: 7 })).toEqual([7]);
    expect(await epochs({ latest: 4, storedEpoch: 7, epoch: 9 })).toEqual([9]);
    expect(await epochs({ epoch: 2 })).toEqual([2]);
  });

  test("never falls", () => {
    expect(() => committer({ latest: 4, storedEpoch: 7, epoch: 6 })).toThrow("epochs never fall");
  });
});

describe("stopping a committer", () => {
  test("waits for the drafts that have arrived", async () => {
    const { service, executor, log } = committer({ commitMs: 400 });
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    expect(log.filter((line) => line.startsWith("main"))).toHaveLength(3);
  });

  test("drops drafts that have not started at the deadline", async () => {
    const { service, executor, commits } = committer({ commitMs: STOP_COMMIT_MS });
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    expect(commits).toHaveLength(1);
  });

  test("waits for the gate until the deadline, then leaves the block stored but unannounced", async () => {
    const slow = slowGate();
    const { service, executor, timer, failures, log } = committer({ gate: slow.gate });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await Bun.sleep(1);
    let isStopped = false;
    const stopped = service.stop().then(() => (isStopped = true));
    timer.advance(STOP_COMMIT_MS - 1);
    await Bun.sleep(1);
    expect(isStopped).toBe(false);
    timer.advance(1);
    await stopped;
    expect(log).toEqual(["guard 1 []", "commit 0"]);
    expect(failures).toEqual([]);
    expect(timer.alarms).toBe(0);
  });
});
