import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockReplay, validateTransaction } from "#engine/execution/index.ts";
import { OverlayState } from "#engine/state/index.ts";
import { decodeReceipt, encodedTransaction, encodeReceipt } from "#protocol/chain/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import { BlockProducer } from "#services/sequencer/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, SEQUENCER, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";
import { UNWATCHED } from "#test/helpers/producer-source.ts";

const vm = createCairoVm();
const NUMBER = 5;

/** A producer with an open block. */
function producer(takesImpersonated: boolean, chargeFees = true): BlockProducer {
  const { chainId, feeTokens, constants, info } = transferBlock();
  const settings = {
    chainId,
    feeTokens,
    constants,
    protocolVersion: info.protocolVersion,
    bouncer: { limits: {} },
    sequencerAddress: SEQUENCER,
    l1DaMode: "BLOB" as const,
    l2GasPricing: { kind: "fixed" as const, priceFri: 1n },
    chargeFees,
    free: null,
    takesImpersonated,
  };
  const opened = new BlockProducer(vm, settings, {
    ...UNWATCHED,
    clock: { nowMs: () => 1_700_000_000_500 },
    processorMs: () => 0,
    blockHash: (number) => BigInt(number) + 1000n,
    l1Prices: () => ({
      l1GasWei: 1n,
      l1DataGasWei: 1n,
      friPerWei: { numerator: 1n, denominator: 1n },
    }),
  });
  opened.open(
    NUMBER,
    { timestamp: 1_700_000_000, l2Gas: { priceFri: 1n, gasUsed: 0n } },
    transferState(),
  );
  return opened;
}

/** A transfer, signed by the account without `signature`. */
function candidate(nonce: bigint, parts: Partial<Candidate> = {}, signature?: bigint[]): Candidate {
  const options = signature === undefined ? {} : { signature };
  return {
    transaction: encodedTransaction(transfer(nonce, options)),
    prevalidated: undefined,
    ...parts,
  };
}

const FORGED = [1n, 2n];
const IMPERSONATED = { isImpersonated: true };

describe("a candidate of an impersonated account", () => {
  sharedTest("is included with any signature, and pays", () => {
    const { delta, rejected } = producer(true).execute([candidate(0n, IMPERSONATED, FORGED)]);
    expect(rejected).toEqual([]);
    const [receipt] = delta?.receipts ?? [];
    expect(receipt).toMatchObject({ status: { kind: "succeeded" }, isImpersonated: true });
    expect(receipt?.actualFee).toBeGreaterThan(0n);
    expect(delta?.diff.nonces.get(SENDER)).toBe(1n);
  });

  sharedTest("is still rejected for its nonce", () => {
    const opened = producer(true);
    opened.execute([candidate(0n, IMPERSONATED, FORGED)]);
    const { rejected } = opened.execute([candidate(0n, IMPERSONATED, [3n, 4n])]);
    expect(rejected).toMatchObject([{ error: { code: "INVALID_NONCE" } }]);
  });

  sharedTest("is validated on chains without impersonation, whatever admission reports", () => {
    const opened = producer(false);
    const { rejected } = opened.execute([candidate(0n, IMPERSONATED, FORGED)]);
    expect(rejected).toMatchObject([{ error: { code: "VALIDATION_FAILED" } }]);
    const { delta } = opened.execute([candidate(0n, IMPERSONATED)]);
    expect(delta?.receipts[0]).not.toHaveProperty("isImpersonated");
  });

  sharedTest("does not use an earlier validation", () => {
    const outcome = validateTransaction(vm, transferState(), transferBlock(), transfer(0n));
    const prevalidated = outcome.kind === "valid" ? outcome.prevalidated : undefined;
    expect(prevalidated).toBeDefined();
    const gasOf = (parts: Partial<Candidate>): bigint | undefined =>
      producer(true).execute([candidate(0n, { prevalidated, ...parts })]).delta?.receipts[0]?.gas
        .l2Gas;
    const [skipped = 0n, reused = 0n] = [gasOf(IMPERSONATED), gasOf({})];
    expect(skipped).toBeGreaterThan(0n);
    expect(skipped).toBeLessThan(reused);
  });

  sharedTest("is re-executed the same way, by its receipt", () => {
    for (const chargeFees of [true, false]) {
      const opened = producer(true, chargeFees);
      const batch = [
        candidate(0n),
        candidate(1n, IMPERSONATED, FORGED),
        // A signature that the account would accept: only its receipt shows the impersonation.
        candidate(2n, IMPERSONATED),
        candidate(3n),
      ];
      const { delta, rejected } = opened.execute(batch);
      expect(rejected).toEqual([]);
      const { draft } = opened.seal();
      const before = transferState();
      const replay = new BlockReplay(vm, {
        block: { ...transferBlock(), info: draft.info },
        before,
        after: new OverlayState(before, draft.stateDiff),
      });
      const isValidated = draft.transactions.map((transaction, index) => {
        const receipt = delta?.receipts[index];
        if (receipt === undefined) throw new TypeError("every transaction has a receipt");
        // As read from disk.
        const step = replay.next(transaction, decodeReceipt(encodeReceipt(receipt)), 2 ** 20);
        if (step.kind !== "executed") throw new TypeError(JSON.stringify(step));
        return step.trace?.info.validate !== null;
      });
      expect(isValidated).toEqual([true, false, false, true]);
    }
  });
});
