import {
  SubmissionGate,
  type SubmissionLimits,
} from "#services/admission/submission/submission-gate.ts";
import type { SubmitOutcome } from "#services/admission/mempool/index.ts";

/** Submission outcome of an accepted transaction. */
export const ACCEPTED: SubmitOutcome = { kind: "accepted", transactionHash: 1n };
/** Submission outcome of a failed validation. */
export const FAILED: Extract<SubmitOutcome, { kind: "rejected" }> = {
  kind: "rejected",
  code: "VALIDATION_FAILURE",
  reason: "no",
};
/** Submission outcome of a rejection that no specific error names. */
export const REFUSED: Extract<SubmitOutcome, { kind: "rejected" }> = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "no",
};
/** Small limits of a submission gate, which a test reaches with a few submissions. */
export const LIMITS: SubmissionLimits = { maxCount: 8, maxSizeBytes: 1000, maxDoubtfulCount: 4 };

/** A gate with a validator that the test controls; the first byte identifies a submission. */
export function setUp(
  limits = LIMITS,
  hasAccount: (address: bigint) => boolean = () => true,
  sharesByClient = false,
) {
  const sent: { readonly id: number; readonly name: number }[] = [];
  const clock = { nowMs: 0 };
  let nextId = 0;
  const gate = new SubmissionGate({
    send: (id, bytes) => sent.push({ id, name: bytes[0] ?? -1 }),
    hasAccount,
    nowMs: () => clock.nowMs,
    nextId: () => nextId++,
    sharesByClient,
    limits,
  });
  const outcomes = new Map<number, SubmitOutcome>();
  const submit = async (
    sender: bigint,
    name: number,
    sizeBytes = 1,
    client = `client of ${sender}`,
  ): Promise<void> => {
    const bytes = new Uint8Array(sizeBytes);
    bytes[0] = name;
    outcomes.set(name, await gate.submit({ sender, client }, bytes));
  };
  const answer = async (outcome: SubmitOutcome, costMs = 1): Promise<number> => {
    const next = sent.shift();
    if (next === undefined) return -1;
    gate.validated(next.id, costMs);
    gate.settled(next.id, outcome);
    await Bun.sleep(0);
    return next.name;
  };
  return { gate, sent, outcomes, submit, answer };
}

/** Fills the validator with submissions of one sender, so that later ones are queued. */
export async function fill(submit: ReturnType<typeof setUp>["submit"]): Promise<void> {
  for (let i = 0; i < 33; i++) void submit(1000n, 200);
  await Bun.sleep(0);
}

/** Creates a gate with a full validator, so that submissions are queued. */
export async function occupied(...args: Parameters<typeof setUp>) {
  const parts = setUp(...args);
  while (parts.gate.waiting.count === 0) void parts.submit(1000n, 200);
  const inHand = parts.sent.length;
  return { ...parts, inHand };
}
