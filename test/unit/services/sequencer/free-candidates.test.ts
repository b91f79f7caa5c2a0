import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { encodedTransaction } from "#protocol/chain/index.ts";
import { BlockProducer, type ProducerSettings } from "#services/sequencer/index.ts";
import { UNWATCHED } from "#test/helpers/producer-source.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, SEQUENCER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const machine = createCairoVm();

/** A producer with an open block on the state of the transfer chain. */
function opened(parts: Pick<ProducerSettings, "free" | "chargeFees">): BlockProducer {
  const { chainId, feeTokens, constants, info } = transferBlock();
  const producer = new BlockProducer(
    machine,
    {
      chainId,
      feeTokens,
      constants,
      protocolVersion: info.protocolVersion,
      bouncer: { limits: {} },
      sequencerAddress: SEQUENCER,
      l1DaMode: "BLOB",
      l2GasPricing: { kind: "fixed", priceFri: 1n },
      takesImpersonated: false,
      ...parts,
    },
    {
      ...UNWATCHED,
      processorMs: () => 0,
      clock: { nowMs: () => 1_700_000_000_500 },
      blockHash: () => 1n,
      l1Prices: () => ({
        l1GasWei: 1n,
        l1DataGasWei: 1n,
        friPerWei: { numerator: 1n, denominator: 1n },
      }),
    },
  );
  const parent = { timestamp: 1_700_000_000, l2Gas: { priceFri: 1n, gasUsed: 0n } };
  producer.open(5, parent, transferState());
  return producer;
}

const candidate = (nonce: bigint, options: Parameters<typeof transfer>[1] = {}) => ({
  transaction: encodedTransaction(transfer(nonce, options)),
  prevalidated: undefined,
});

describe("free candidates", () => {
  const free = (nativeFeeToken: bigint) => ({
    chargeFees: true,
    free: { policy: "untilToken" as const, nativeFeeToken },
  });

  sharedTest("are executed by the protocol's rules, without a fee", () => {
    const producer = opened(free(0x404n));
    const { delta } = producer.execute([candidate(0n, { isFree: true, amount: 5n })]);
    expect(delta?.receipts.map(({ status }) => status.kind)).toEqual(["succeeded"]);
    const written = delta?.diff.storageDiffs.get(STRK) ?? new Map<bigint, bigint>();
    expect(written.has(balanceKey(SENDER))).toBe(true);
    expect(written.has(balanceKey(SEQUENCER))).toBe(false);
  });

  sharedTest("are rejected once the native fee token has a contract; paying ones stay", () => {
    const producer = opened(free(STRK));
    const { rejected, delta } = producer.execute([candidate(0n, { isFree: true }), candidate(0n)]);
    expect(rejected.map(({ error }) => error.code)).toEqual(["INSUFFICIENT_BOUNDS"]);
    expect(delta?.transactions).toHaveLength(1);
  });

  sharedTest("are accepted on a chain without fees", () => {
    const producer = opened({ free: null, chargeFees: false });
    expect(producer.execute([candidate(0n, { isFree: true })]).rejected).toEqual([]);
  });
});
