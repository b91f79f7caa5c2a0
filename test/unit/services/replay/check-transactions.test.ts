import { expect, test } from "bun:test";
import { transactionHash } from "#protocol/chain/index.ts";
import type { RemoteBlock } from "#io/client/index.ts";
import { checkedTransactions } from "#services/replay/check-transactions.ts";
import { DifferenceFound } from "#services/replay/difference.ts";
import { INVOKE_V3, SAMPLE_CHAIN_ID } from "#test/helpers/sample-chain.ts";
import { fakeReceipt, fakeHeader } from "#test/helpers/fake-chain.ts";

const NO_BOUND = { maxAmount: 0n, maxPricePerUnit: 0n };

function blockOf(transaction: typeof INVOKE_V3, hash: bigint): RemoteBlock {
  const status = "ACCEPTED_ON_L2";
  const receipt = { ...fakeReceipt({ transactionHash: hash }), type: "INVOKE", finality: status };
  const header = fakeHeader({ number: 1 });
  return { header, status, transactions: [transaction], receipts: [receipt] };
}

const withBound = (l1DataGas: typeof NO_BOUND | null) => ({
  ...INVOKE_V3,
  resourceBounds: { ...INVOKE_V3.resourceBounds, l1DataGas },
});

test("restores the older form of bounds, which looks like no bound, by the hash", () => {
  const remote = withBound(NO_BOUND);
  for (const sent of [remote, withBound(null)]) {
    const hash = transactionHash(sent, SAMPLE_CHAIN_ID);
    expect(checkedTransactions(blockOf(remote, hash), SAMPLE_CHAIN_ID)).toEqual([
      { hash, transaction: sent },
    ]);
  }
});

test("reports a receipt of another transaction as a difference", () => {
  for (const transaction of [INVOKE_V3, withBound(NO_BOUND)]) {
    expect(() => checkedTransactions(blockOf(transaction, 5n), SAMPLE_CHAIN_ID)).toThrow(
      DifferenceFound,
    );
  }
});
