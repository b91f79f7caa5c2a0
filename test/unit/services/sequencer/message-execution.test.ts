import { expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, encodeTransaction, type L1Handler } from "#protocol/chain/index.ts";
import type { TransactionOutcome } from "#engine/execution/index.ts";
import type { PendingDelta } from "#engine/state/index.ts";
import { MESSAGES_MS, MessageExecution } from "#services/sequencer/message-execution.ts";

const REJECTED = {
  kind: "rejected",
  error: { code: "TOO_LARGE", kind: "TooLarge", message: "too large" },
} as const;
const INCLUDED = { kind: "included" } as TransactionOutcome;

function message(nonce: bigint) {
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: 0x404n,
    entryPointSelector: 0x123n,
    calldata: [0x11n],
    paidFeeOnL1: 1n,
  };
  const bytes = encodeTransaction({ hash: 0x900n + nonce, transaction });
  return { bytes, l1TransactionHash: 1n, l1BlockNumber: 7 };
}

/** Executes messages 0, 1, ... with these outcomes, in a block with `contentCount` entries. */
function executed(
  outcomes: readonly TransactionOutcome[],
  contentCount = 1,
  stepMs = 0,
  refused = -1n,
) {
  const told: string[] = [];
  const deltas: PendingDelta[] = [];
  let done = 0;
  let nowMs = 0;
  let included = 0;
  const execution = new MessageExecution({
    chain: { locate: () => undefined, consumedL1Message: () => undefined },
    overlay: { blocks: () => [] },
    producer: {
      contentCount,
      executeMessage: () => {
        const outcome = outcomes[done++] ?? INCLUDED;
        nowMs += stepMs;
        if (outcome.kind === "included") included++;
        return outcome;
      },
      takeDelta: (): PendingDelta | undefined =>
        included === 0
          ? undefined
          : {
              blockNumber: 5,
              sequence: 0,
              info: null,
              transactions: [],
              receipts: [],
              diff: EMPTY_STATE_DIFF,
              classes: [],
              sealed: false,
            },
      changeState: () => null,
    },
    guard: {
      run(attempt, work) {
        told.push(`attempt ${attempt}`);
        return work();
      },
      beforeBlock: (hashes) => void told.push(`block of ${hashes.length}`),
    },
    processorMs: () => nowMs,
  });
  const messages = Array.from({ length: outcomes.length }, (_, i) => message(BigInt(i)));
  const result = execution.executeAll(messages, {
    attempt: 3,
    suspects: {
      refusalOf: (hash) => (hash === refused ? "it ended the process" : undefined),
      executed: (hash) => void told.push(`executed ${hash.toString(16)}`),
    },
    settle: (delta) => {
      told.push("settled");
      deltas.push(delta);
    },
  });
  return { ...result, delta: deltas[0] ?? null, told };
}

const included = { kind: "included", blockNumber: 5 } as const;

test("rejects a message that can never be executed, and continues", () => {
  const { outcomes, delta, full } = executed([INCLUDED, REJECTED, INCLUDED]);
  expect(outcomes).toEqual([included, { kind: "refused", reason: "too large" }, included]);
  expect(delta?.l1Messages?.map(({ nonce }) => nonce)).toEqual([0n, 2n]);
  expect(full).toBe(false);
});

test("has no delta if nothing was included", () => {
  expect(executed([REJECTED])).toMatchObject({
    outcomes: [{ kind: "refused", reason: "too large" }],
    delta: null,
    full: false,
  });
});

test("keeps a message that does not fit, and those after it", () => {
  const { outcomes, full } = executed([INCLUDED, { kind: "block_full" }, INCLUDED]);
  expect(outcomes).toEqual([included]);
  expect(full).toBe(true);
});

test("rejects a message that does not fit into an empty block", () => {
  const { outcomes, full } = executed([{ kind: "block_full" }, REJECTED], 0);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["refused", "refused"]);
  expect(full).toBe(false);
});

test("keeps a cancelled message, and those after it", () => {
  const { outcomes, full } = executed([INCLUDED, { kind: "cancelled" }, INCLUDED]);
  expect(outcomes).toEqual([included]);
  expect(full).toBe(false);
});

test("ends a turn after its time, with at least one message", () => {
  expect(executed([INCLUDED, INCLUDED], 1, MESSAGES_MS).outcomes).toHaveLength(1);
  expect(executed([INCLUDED, INCLUDED, INCLUDED], 1, MESSAGES_MS / 2).outcomes).toHaveLength(2);
});

test("attributes the sending of deltas to the message, and clears its crashes afterwards", () => {
  expect(executed([INCLUDED]).told).toEqual(["attempt 3", "executed 900", "block of 0", "settled"]);
  expect(executed([{ kind: "block_full" }]).told).toEqual(["attempt 3"]);
});

test("rejects a message known to end the process without executing it", () => {
  const { outcomes, told } = executed([INCLUDED, INCLUDED], 1, 0, 0x900n);
  expect(outcomes).toEqual([{ kind: "refused", reason: "it ended the process" }, included]);
  expect(told).not.toContain("executed 900");
});
