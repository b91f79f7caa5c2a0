import { beforeAll, describe, expect, test } from "bun:test";
import {
  type BlockBundle,
  decodeBundle,
  encodedTransaction,
  type InvokeV3,
  type Receipt,
  type ResourceBound,
} from "#protocol/chain/index.ts";
import type { BlockCheckOutcome } from "#services/sync/index.ts";
import {
  changedBundle,
  checkBundle,
  expectRefused,
  sampleBundle,
  type SampleBundle,
} from "#test/helpers/bundle-samples.ts";
import { ownBlock } from "#test/helpers/gateway-blocks.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const samples = new Map<string, SampleBundle>();
const sampleOf = (version: string): SampleBundle => {
  const sample = samples.get(version);
  if (sample === undefined) throw new TypeError(`no sample of ${version}`);
  return sample;
};

beforeAll(async () => {
  for (const version of ["0.14.4", "0.13.0"]) {
    samples.set(version, await sampleBundle(ownBlock(version)));
  }
});

const newest = (change: (bundle: BlockBundle) => BlockBundle): Promise<BlockCheckOutcome> => {
  const sample = sampleOf("0.14.4");
  return checkBundle(sample, changedBundle(sample, change));
};

const withReceipt = (index: number, part: Partial<Receipt>) => (bundle: BlockBundle) => {
  const { block } = bundle;
  const receipts = block.receipts.map((each, i) => (i === index ? { ...each, ...part } : each));
  return { ...bundle, block: { ...block, receipts } };
};

describe("bundle fields that gateways do not report", () => {
  test("are verified: hash and fee unit of a receipt, even if no hash covers them", async () => {
    const sample = sampleOf("0.13.0");
    const unlike = changedBundle(sample, withReceipt(0, { feeUnit: "FRI", transactionHash: 5n }));
    expect((await checkBundle(sample, unlike)).kind).toBe("refused");
    const unit = changedBundle(sample, withReceipt(0, { feeUnit: "FRI" }));
    const first = decodeBundle(sample.bytes).block.receipts[0];
    expect(first?.feeUnit).toBe("WEI");
    expectRefused(await checkBundle(sample, unit), "receipt", /expected WEI, found FRI/);
  });

  test("are verified: gas of a receipt, against its fee and its other gas", async () => {
    const { gas, daGas } = decodeBundle(sampleOf("0.14.4").bytes).block.receipts[2] ?? {};
    if (gas === undefined || daGas === undefined) throw new TypeError("there is no receipt");
    const more = await newest(withReceipt(2, { gas: { ...gas, l2Gas: gas.l2Gas + 1n } }));
    expectRefused(more, "receipt", /^total_gas_consumed.l2_gas of receipt 2: expected 10/);
    const other = await newest(withReceipt(2, { daGas: { ...daGas, l1Gas: 1n } }));
    expectRefused(other, "receipt", /^data_availability.l1_gas of receipt 2: expected at most 0/);
  });

  test("are verified: the form of a transaction, if two forms have one hash", async () => {
    const invoke = emptyInvoke(1n, 0n);
    const withDataGas = (l1DataGas: ResourceBound | null): InvokeV3 => ({
      ...invoke,
      resourceBounds: { ...invoke.resourceBounds, l1DataGas },
    });
    const sample = await sampleBundle(ownBlock("0.14.4", { transactions: [withDataGas(null)] }));
    const transaction = withDataGas({ maxAmount: 0n, maxPricePerUnit: 0n });
    const bytes = changedBundle(sample, (bundle) => {
      const { hash = 0n } = bundle.block.transactions[0] ?? {};
      const transactions = [encodedTransaction({ hash, transaction })];
      return { ...bundle, block: { ...bundle.block, transactions } };
    });
    const outcome = await checkBundle(sample, bytes);
    expectRefused(outcome, "transaction_hash", /the form that its hash is of/);
  });

  test("are verified: the header's counts and commitments", async () => {
    for (const [name, check] of [
      ["transactionCount", "transaction_commitment"],
      ["eventCount", "event_commitment"],
      ["stateDiffLength", "state_diff_length"],
      ["receiptCommitment", "receipt_commitment"],
    ] as const) {
      const sample = sampleOf("0.13.0");
      const bytes = changedBundle(sample, (bundle) => {
        const value = name === "receiptCommitment" ? 1n : 1;
        const header = { ...bundle.block.header, [name]: value };
        return { ...bundle, block: { ...bundle.block, header } };
      });
      expectRefused(await checkBundle(sample, bytes), check, /./);
    }
  });

  test("are verified: the consumed messages from L1", async () => {
    const change = (part: object) => (bundle: BlockBundle) => {
      const [first, ...rest] = bundle.inputs.l1Messages;
      if (first === undefined) throw new TypeError("no message");
      return { ...bundle, inputs: { l1Messages: [{ ...first, ...part }, ...rest] } };
    };
    expectRefused(
      await newest(change({ transactionHash: 5n })),
      "inputs",
      /transaction_hash of message 0/,
    );
    expectRefused(
      await newest(change({ nonce: 1_000n })),
      "inputs",
      /nonce of message 0 from L1: expected/,
    );
    expectRefused(await newest(change({ messageHash: 5n })), "inputs", /message_hash of message 0/);
    const none = await newest((bundle) => ({ ...bundle, inputs: { l1Messages: [] } }));
    expectRefused(none, "inputs", /messages from L1: expected 1, found 0/);
    const twice = await newest((bundle) => {
      const { l1Messages } = bundle.inputs;
      return { ...bundle, inputs: { l1Messages: [...l1Messages, ...l1Messages] } };
    });
    expectRefused(twice, "inputs", /messages from L1: expected 1, found 2/);
    const told = await newest(change({ l1TransactionHash: 7n, l1BlockNumber: 8 }));
    expect(told.kind).toBe("checked");
  });

  test("are refused: a message without a fee", async () => {
    const paid = (paidFeeOnL1: bigint) => (bundle: BlockBundle) => ({
      ...bundle,
      block: {
        ...bundle.block,
        transactions: bundle.block.transactions.map((each) =>
          each.transaction.type === "L1_HANDLER"
            ? encodedTransaction({
                hash: each.hash,
                transaction: { ...each.transaction, paidFeeOnL1 },
              })
            : each,
        ),
      },
    });
    expectRefused(await newest(paid(0n)), "inputs", /paid_fee_on_l1 of transaction \d+/);
    expect((await newest(paid(9n))).kind).toBe("checked");
  });
});
