import { describe, expect, test } from "bun:test";
import { AdmissionClient } from "#node/admission-client.ts";
import { POSITION_TIMEOUT_MS, PositionGate, positionAt } from "#node/position-gate.ts";
import type { AdmissionReply, ToAdmission } from "#node/workers/protocol.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeThread } from "#test/helpers/fake-thread.ts";

function client() {
  const thread = fakeThread<Exclude<ToAdmission, { kind: "stop" }>>();
  const timer = new FakeTimer();
  const gate = new PositionGate(5, timer);
  const sizes: number[] = [];
  const admission = new AdmissionClient(thread.thread, gate, {
    hasAccount: () => true,
    onSize: (size) => void sizes.push(size),
  });
  const reply = (accepted: number, message: AdmissionReply) =>
    thread.tell({ ...message, position: positionAt(accepted) });
  return { admission, gate, reply, sizes, thread, timer };
}

const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, Bun.sleep(0).then(() => "waits")])) === "waits";

describe("the main thread's side of admission", () => {
  test("asks with what the main thread has seen", () => {
    const { admission, gate, thread } = client();
    gate.delta(6, 4);
    void admission.find(1n);
    expect(thread.sent[0]?.position).toEqual({ accepted: 5, blockNumber: 6, sequence: 4 });
  });

  test("gives each answer to who asked", async () => {
    const { admission, reply } = client();
    const [first, second] = [admission.rejectionOf(1n), admission.rejectionOf(2n)];
    reply(5, { kind: "rejectionFound", id: 1, reason: "two" });
    reply(5, { kind: "rejectionFound", id: 0, reason: null });
    expect([await first, await second]).toEqual([undefined, "two"]);
  });

  test("holds an answer back until the main thread has seen as much", async () => {
    const { admission, gate, reply } = client();
    const found = admission.find(1n);
    reply(6, { kind: "found", id: 0, bytes: null });
    expect(await isPending(found)).toBe(true);
    gate.accepted(6);
    expect(await found).toBeUndefined();
  });

  test("gives an answer out all the same when the main thread does not get so far", async () => {
    const { admission, reply, timer } = client();
    const reason = admission.rejectionOf(1n);
    reply(6, { kind: "rejectionFound", id: 0, reason: "why" });
    timer.advance(POSITION_TIMEOUT_MS);
    expect(await reason).toBe("why");
  });

  test("passes the size of the mempool on", () => {
    const { reply, sizes } = client();
    reply(5, { kind: "mempoolSize", waiting: 3 });
    expect(sizes).toEqual([3]);
  });
});
