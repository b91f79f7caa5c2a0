import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import type { Spawn } from "#app/node/threads/thread-crew.ts";
import { revertInThread } from "#app/node/storage/revert/revert-thread.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeThread } from "#test/helpers/fake-thread.ts";

const ORDER = { blockNumber: 4, keepReceived: true, keepL1Accepted: true };

/** A thread that sends `answers` when ordered to revert. */
function world(answers: readonly unknown[]) {
  const fake = fakeThread<{ readonly kind: string }>("reverter", ({ kind }) =>
    kind === "init" ? { kind: "started" } : kind === "stop" ? { kind: "stopped" } : undefined,
  );
  const seen: unknown[] = [];
  let die: (error: NodeError) => void = () => undefined;
  const spawn = ((_: string, onDeath: (error: NodeError) => void) => {
    die = onDeath;
    return fake.thread;
  }) as unknown as Spawn;
  const timer = new FakeTimer();
  const reverted = revertInThread(
    { startTimeoutMs: 30_000 } as NodeSetup,
    ORDER,
    (told) => void seen.push(told),
    {
      spawn,
      timer,
    },
  );
  const answer = async (): Promise<void> => {
    await Bun.sleep(0);
    for (const message of answers) fake.tell(message);
  };
  return { fake, seen, reverted, answer, die: (error: NodeError) => die(error) };
}

describe("reverting in a separate thread", () => {
  test("reports progress, and stops the thread when done", async () => {
    const progress = { phase: "blocks", done: 1, total: 2 };
    const { fake, seen, reverted, answer } = world([
      { kind: "reverting", progress },
      { kind: "reverted", refusal: null },
    ]);
    await answer();
    await reverted;
    expect(fake.sent.map(({ kind }) => kind)).toEqual(["init", "revert", "stop"]);
    expect(fake.sent[1]).toEqual({ kind: "revert", order: ORDER } as never);
    expect([seen, fake.isTerminated]).toEqual([[progress], true]);
  });

  test("rejects with the reason of a refusal", async () => {
    const refusal = { code: "STORAGE_PRUNED", message: "kept from block 9 on" };
    const { fake, reverted, answer } = world([{ kind: "reverted", refusal }]);
    const failed = reverted.catch((error: unknown) => error);
    await answer();
    expect(await failed).toMatchObject(refusal);
    expect(fake.isTerminated).toBe(true);
  });

  test("fails if the thread dies or reports a failure", async () => {
    const dying = world([]);
    const failed = dying.reverted.catch(String);
    await Bun.sleep(0);
    dying.die(new NodeError("NODE_WORKER_FAILED", "no memory"));
    expect(await failed).toContain("no memory");
    const failing = world([{ kind: "failed", reason: "disk" }]);
    const reported = failing.reverted.catch(String);
    await failing.answer();
    expect(await reported).toContain("disk");
  });
});
