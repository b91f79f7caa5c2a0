import { describe, expect, test } from "bun:test";
import { client } from "#test/helpers/admission-client.ts";
import { encodeTransaction } from "#protocol/chain/index.ts";
import { POSITION_TIMEOUT_MS } from "#services/admission/position-gate.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, Bun.sleep(0).then(() => "waits")])) === "waits";

describe("the admission client", () => {
  test("sends requests with the main thread's position", () => {
    const { admission, gate, thread } = client();
    gate.delta(6, 4);
    void admission.find(1n);
    expect(thread.sent[0]?.position).toEqual({
      accepted: 5,
      blockNumber: 6,
      sequence: 4,
      generation: 0,
    });
  });

  test("resolves each request with its own reply", async () => {
    const { admission, reply } = client();
    const [first, second] = [admission.rejectionOf(1n), admission.rejectionOf(2n)];
    reply(5, { kind: "rejectionFound", id: 1, reason: "two" });
    reply(5, { kind: "rejectionFound", id: 0, reason: null });
    expect([await first, await second]).toEqual([undefined, "two"]);
  });

  test("holds a reply back until the main thread has reached its position", async () => {
    const { admission, gate, reply } = client();
    const found = admission.find(1n);
    reply(6, { kind: "found", id: 0, bytes: null, isInFlight: false, isAhead: false });
    expect(await isPending(found)).toBe(true);
    gate.accepted(6);
    expect(await found).toBeUndefined();
  });

  test("reports whether the executor holds a found transaction", async () => {
    const { admission, reply } = client();
    const transaction = emptyInvoke(1n, 0n);
    const bytes = encodeTransaction({ hash: 7n, transaction });
    const found = [admission.find(7n), admission.find(7n)];
    reply(5, { kind: "found", id: 0, bytes, isInFlight: false, isAhead: false });
    reply(5, { kind: "found", id: 1, bytes, isInFlight: true, isAhead: false });
    expect(await Promise.all(found)).toMatchObject([
      { hash: 7n, transaction, isCandidate: false },
      { hash: 7n, transaction, isCandidate: true },
    ]);
  });

  test("releases a reply after a timeout if the main thread does not reach its position", async () => {
    const { admission, reply, timer } = client();
    const reason = admission.rejectionOf(1n);
    reply(6, { kind: "rejectionFound", id: 0, reason: "why" });
    timer.advance(POSITION_TIMEOUT_MS);
    expect(await reason).toBe("why");
  });

  test("sends submissions and resolves their outcomes in groups", async () => {
    const { admission, refused, reply, thread } = client();
    const [first, second] = [
      admission.submit(emptyInvoke(1n, 0n), CLIENT),
      admission.submit(emptyInvoke(2n, 0n), CLIENT),
    ];
    const ids = thread.sent.map((message) => (message.kind === "submit" ? message.id : -1));
    const accepted = { kind: "accepted", transactionHash: 7n } as const;
    const failed = { kind: "rejected", code: "VALIDATION_FAILURE", reason: "no" } as const;
    reply(5, { kind: "validated", id: ids[0] ?? -1, costMs: 1 });
    reply(5, {
      kind: "submitted",
      outcomes: [
        { id: ids[1] ?? -1, outcome: failed },
        { id: ids[0] ?? -1, outcome: accepted },
      ],
    });
    expect([await first, await second]).toEqual([accepted, failed]);
    expect(refused).toEqual(["VALIDATION_FAILURE"]);
  });

  test("sends the next submission after each validation, regardless of the main thread's position", () => {
    const { admission, reply, thread } = client();
    for (let i = 0; i < 100; i++) void admission.submit(emptyInvoke(1n, BigInt(i)), CLIENT);
    const count = thread.sent.length;
    expect(count).toBeLessThan(100);
    reply(9, { kind: "validated", id: 0, costMs: 1 });
    expect(thread.sent.length).toBe(count + 1);
  });

  test("counts submissions that are rejected for lack of room", async () => {
    const { admission, refused } = client();
    const outcomes = Array.from({ length: 5_000 }, (_, i) =>
      admission.submit(emptyInvoke(1n, BigInt(i)), CLIENT),
    );
    expect(await outcomes.at(-1)).toMatchObject({ kind: "rejected", retryAfterSeconds: 5 });
    expect(refused.length).toBeGreaterThan(500);
    expect(new Set(refused)).toEqual(new Set(["BUSY"]));
  });

  test("rejects unsent submissions when the node stops", async () => {
    const { admission } = client();
    const outcomes = Array.from({ length: 100 }, () =>
      admission.submit(emptyInvoke(1n, 0n), CLIENT),
    );
    admission.stop();
    expect(await outcomes.at(-1)).toMatchObject({ reason: "the node is stopping" });
  });

  test("forwards rejections", () => {
    const { rejected, reply } = client();
    const rejection = { hash: 1n, sender: 2n, code: "EXPIRED", reason: "too old" };
    reply(5, { kind: "rejected", rejections: [rejection] });
    expect(rejected).toEqual([rejection]);
  });

  test("forwards the size of the mempool", () => {
    const { reply, sizes } = client();
    reply(5, { kind: "mempoolSize", waiting: 3 });
    expect(sizes).toEqual([3]);
  });
});

describe("a declaration compiled elsewhere", () => {
  const BYTES = new Uint8Array([4, 5]);
  const DECLARED = { contractClass: new Uint8Array([6]), casmJson: "{}" };
  const REFUSAL = { kind: "rejected", code: "DUPLICATE_TX", reason: "it waits" } as const;

  test("is checked by its bytes and the size of its class", async () => {
    const { admission, gate, reply, thread } = client();
    const judgement = admission.judge(BYTES, 77);
    expect(thread.sent).toEqual([
      { kind: "mayDeclare", id: 0, bytes: BYTES, classSizeBytes: 77, position: gate.position },
    ]);
    reply(5, { kind: "declareJudged", id: 0, refusal: REFUSAL });
    expect(await judgement).toEqual(REFUSAL);
  });

  test("is checked at the main thread's position", async () => {
    const { admission, gate, reply } = client();
    const judgement = admission.judge(BYTES, 77);
    reply(6, { kind: "declareJudged", id: 0, refusal: null });
    expect(await isPending(judgement)).toBe(true);
    gate.accepted(6);
    expect(await judgement).toBeNull();
  });

  test("is submitted as validated with its class, and resolves with its outcome", async () => {
    const { admission, gate, refused, reply, thread } = client();
    const submitted = admission.submitDeclared(BYTES, DECLARED);
    expect(thread.sent).toEqual([
      {
        kind: "submit",
        id: 0,
        bytes: BYTES,
        validation: { prevalidated: null },
        declared: DECLARED,
        position: gate.position,
      },
    ]);
    reply(5, { kind: "validated", id: 0, costMs: 1 });
    expect(await isPending(submitted)).toBe(true);
    reply(5, { kind: "submitted", outcomes: [{ id: 0, outcome: REFUSAL }] });
    expect(await submitted).toEqual(REFUSAL);
    // The declare service counts it instead.
    expect(refused).toEqual([]);
  });

  test("shares no id with submissions or requests, so that each gets its own reply", async () => {
    const { admission, reply, thread } = client();
    const answers = [
      admission.submit(emptyInvoke(1n, 0n), CLIENT),
      admission.submitDeclared(BYTES, DECLARED),
      admission.judge(BYTES, 77),
      admission.rejectionOf(1n),
      admission.submit(emptyInvoke(2n, 0n), CLIENT),
      admission.submitDeclared(BYTES, DECLARED),
    ];
    const ids = thread.sent.map((message) => message.id);
    expect(new Set(ids).size).toBe(answers.length);
    const outcome = (id: number) =>
      ({ kind: "accepted", transactionHash: BigInt(id) + 100n }) as const;
    const submissions = [0, 1, 4, 5].map((at) => ids[at] ?? -1);
    // Replies of one group, in another order.
    const outcomes = submissions.toReversed().map((id) => ({ id, outcome: outcome(id) }));
    reply(5, { kind: "declareJudged", id: ids[2] ?? -1, refusal: null });
    reply(5, { kind: "submitted", outcomes });
    reply(5, { kind: "rejectionFound", id: ids[3] ?? -1, reason: "why" });
    expect(await Promise.all(answers)).toEqual([
      outcome(ids[0] ?? -1),
      outcome(ids[1] ?? -1),
      null,
      "why",
      outcome(ids[4] ?? -1),
      outcome(ids[5] ?? -1),
    ]);
  });

  test("takes no validation slot from submissions", () => {
    const { admission, reply, thread } = client();
    for (let i = 0; i < 100; i++) void admission.submit(emptyInvoke(1n, BigInt(i)), CLIENT);
    const count = thread.sent.length;
    void admission.submitDeclared(BYTES, DECLARED);
    const id = thread.sent.at(-1)?.id ?? -1;
    reply(5, { kind: "validated", id, costMs: 1 });
    expect(thread.sent.length).toBe(count + 1);
  });
});

/** Bytes and hash of a submission, as admission reports them. */
const HASHED = new Uint8Array([1, 2, 3]);

describe("a submission whose validation is slow", () => {
  /** A submission that admission has passed on as slow. */
  function slowSubmission() {
    const parts = client();
    const outcome = parts.admission.submit(emptyInvoke(1n, 0n), CLIENT);
    parts.reply(5, { kind: "validated", id: 0, costMs: 150 });
    parts.reply(5, { kind: "slow", id: 0, bytes: HASHED, isSenderUndeployed: false });
    return { ...parts, outcome };
  }

  test("is resubmitted once valid, with its prevalidation for the executor", async () => {
    const { outcome, reply, slow, thread } = slowSubmission();
    const prevalidated = new Uint8Array([1, 2]);
    slow[0]?.({ kind: "valid", prevalidated });
    await Bun.sleep(0);
    expect(thread.sent[1]).toMatchObject({
      kind: "submit",
      id: 0,
      bytes: HASHED,
      validation: { prevalidated },
    });
    const accepted = { kind: "accepted", transactionHash: 7n } as const;
    reply(5, { kind: "submitted", outcomes: [{ id: 0, outcome: accepted }] });
    expect(await outcome).toEqual(accepted);
  });

  test("is rejected with the account's reason", async () => {
    const { outcome, slow, thread } = slowSubmission();
    slow[0]?.({ kind: "refused", code: "VALIDATION_FAILURE", reason: "no" });
    expect(await outcome).toEqual({ kind: "rejected", code: "VALIDATION_FAILURE", reason: "no" });
    // Ends the check at admission, which nobody awaits.
    expect(thread.sent.slice(1)).toMatchObject([{ kind: "slowRefused", id: 0 }]);
  });

  test("is rejected if no thread can validate it", async () => {
    const { outcome, slow } = slowSubmission();
    slow[0]?.(undefined);
    expect(await outcome).toMatchObject({ code: "UNEXPECTED_ERROR", retryAfterSeconds: 5 });
  });

  test("is rejected while 64 others are validated, and accepted afterwards", async () => {
    const { admission, reply, slow } = client();
    const submit = (id: number): Promise<unknown> => {
      const outcome = admission.submit(emptyInvoke(BigInt(id + 1), 0n), CLIENT);
      reply(5, { kind: "validated", id, costMs: 1 });
      reply(5, { kind: "slow", id, bytes: HASHED, isSenderUndeployed: false });
      return outcome;
    };
    const outcomes = Array.from({ length: 65 }, (_, id) => submit(id));
    expect(await outcomes[64]).toMatchObject({ code: "UNEXPECTED_ERROR" });
    slow[0]?.(undefined);
    await outcomes[0];
    void submit(65);
    expect(slow).toHaveLength(65);
  });
});

describe("candidates", () => {
  test("are forwarded as admission hands them out, and decoded only on demand", () => {
    const { candidates, reply } = client();
    const transaction = emptyInvoke(1n, 0n);
    const bytes = encodeTransaction({ hash: 7n, transaction });
    reply(5, { kind: "dispatched", transactions: [{ hash: 7n, bytes, isAgain: true }] });
    expect(candidates.map(({ hash, isAgain }) => [hash, isAgain])).toEqual([[7n, true]]);
    expect(candidates[0]?.bytes).toBe(bytes);
    expect(candidates[0]?.transaction()).toMatchObject({ hash: 7n, transaction });
  });

  test("are requested again from a restarted admission thread", () => {
    const { admission, thread } = client();
    const asked = (): unknown[] =>
      thread.sent.flatMap((sent) => (sent.kind === "watch" ? [sent.isWanted] : []));
    admission.watch(true);
    admission.hold();
    admission.release();
    expect(asked()).toEqual([true, true]);
    admission.watch(false);
    admission.hold();
    admission.release();
    expect(asked()).toEqual([true, true, false]);
  });
});
