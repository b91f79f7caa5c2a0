import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import type { MissingValues } from "#services/admission/index.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import { admissionWorld, LATEST, settle, VALID } from "#test/helpers/admission-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { interruptible } from "#test/helpers/interruptible-state.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";

const FORKED = 7n;
const LOCAL = 8n;

/** Admission whose state lacks the values of {@link FORKED} until `known`. */
async function forkedWorld(validatorCount = 0) {
  const state = { known: false, validationsLost: 0 };
  const fetches: { sender: bigint | undefined; end: (failure?: OriginError) => void }[] = [];
  const missing: MissingValues = {
    announce: () => undefined,
    obtain(_, sender) {
      const { promise, resolve } = Promise.withResolvers<OriginError | undefined>();
      fetches.push({ sender, end: resolve });
      return promise;
    },
  };
  const reader = interruptible(nonceState(), (address) => address === FORKED && !state.known);
  const feed = new PendingFeed(
    numberedChain(LATEST, () => reader),
    new FakeTimer(),
  );
  const made = await admissionWorld(
    {
      feed,
      missing,
      validate() {
        if (state.validationsLost === 0) return VALID;
        state.validationsLost--;
        throw new OriginError("ORIGIN_NOT_HERE", "not fetched", true);
      },
    },
    [],
    validatorCount,
  );
  /** Ends all fetches in flight. */
  const fetched = async (failure?: OriginError) => {
    for (const { end } of fetches.splice(0)) end(failure);
    await settle();
  };
  return { ...made, state, fetches, fetched };
}

describe.each([0, 1])(
  "a submission that lacks values of the origin, %i validators",
  (validators) => {
    test("is accepted once they are fetched", async () => {
      const { submit, outcome, state, fetches, fetched } = await forkedWorld(validators);
      await submit(1, emptyInvoke(FORKED, 0n));
      expect([outcome(1), fetches.map(({ sender }) => sender)]).toEqual([undefined, [FORKED]]);
      state.known = true;
      await fetched();
      expect(outcome(1)?.kind).toBe("accepted");
    });

    test("delays no other submission", async () => {
      const { submit, outcome } = await forkedWorld(validators);
      await submit(1, emptyInvoke(FORKED, 0n));
      await submit(2, emptyInvoke(LOCAL, 0n));
      expect([outcome(1), outcome(2)?.kind]).toEqual([undefined, "accepted"]);
    });

    test("fails with the origin's error if the origin is lost, and can be sent again", async () => {
      const { submit, outcome, state, fetched, failures } = await forkedWorld(validators);
      const invoke = emptyInvoke(FORKED, 0n);
      await submit(1, invoke);
      await fetched(new OriginError("ORIGIN_UNAVAILABLE", "http://origin:1 is down", true));
      expect(outcome(1)).toEqual({
        kind: "rejected",
        code: "UNEXPECTED_ERROR",
        reason: "the transaction cannot be checked now: http://origin:1 is down",
        retryAfterSeconds: 1,
      });
      state.known = true;
      await submit(2, invoke);
      expect([outcome(2)?.kind, failures]).toEqual(["accepted", []]);
    });
  },
);

describe("a validation that lacks values of the origin", () => {
  test("is repeated while they arrive", async () => {
    const { submit, outcome, state, fetched } = await forkedWorld();
    state.validationsLost = 3;
    await submit(1, emptyInvoke(LOCAL, 0n));
    for (let i = 0; i < 3; i++) await fetched();
    expect(outcome(1)?.kind).toBe("accepted");
  });

  test("moves to a thread that waits when it lacks many", async () => {
    const { submit, replies, state, fetched } = await forkedWorld();
    state.validationsLost = Number.POSITIVE_INFINITY;
    await submit(1, emptyInvoke(LOCAL, 0n));
    for (let i = 0; i < 20; i++) await fetched();
    expect(replies().filter(({ kind }) => kind === "slow")).toHaveLength(1);
  });
});

describe("a transaction that the executor postponed", () => {
  test("waits, and the executor is woken for it", async () => {
    const { submit, executor, replies, timer } = await forkedWorld();
    await submit(1, emptyInvoke(LOCAL, 0n));
    executor.tell({ kind: "take", max: 10 });
    const hash = emptyInvokeHash(replies());
    const outcome = { delta: null, included: [], rejected: [], requeued: [hash] };
    executor.tell({ kind: "settled", ...outcome, postponed: [{ hash, reason: "lost" }] });
    executor.tell({ kind: "take", max: 10 });
    const counts = () =>
      executor.sent.flatMap((message) => (message.kind === "batch" ? [message.count] : []));
    expect(counts()).toEqual([1, 0]);
    expect(replies().filter(({ kind }) => kind === "postponed")).toEqual([
      { kind: "postponed", change: { added: [{ hash, reason: "lost" }], left: [] } },
    ]);
    timer.advance(1_000);
    executor.tell({ kind: "take", max: 10 });
    expect([executor.sent.some(({ kind }) => kind === "wake"), counts()]).toEqual([
      true,
      [1, 0, 1],
    ]);
  });
});

/** Hash of the accepted transaction. */
function emptyInvokeHash(replies: readonly object[]): bigint {
  const text = JSON.stringify(replies, (_, value: unknown) =>
    typeof value === "bigint" ? `0x${value.toString(16)}` : value,
  );
  return BigInt(/"transactionHash":"(0x[0-9a-f]+)"/.exec(text)?.[1] ?? 0);
}
