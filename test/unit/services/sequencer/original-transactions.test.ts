import { describe, expect } from "bun:test";
import { bytesFromFelt, feltFromBytes } from "#base/primitives/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { FetchedValues, type OriginQuery } from "#io/origin/index.ts";
import { EMPTY_STATE_DIFF, type HashedTransaction, type Receipt } from "#protocol/chain/index.ts";
import {
  executeOriginals,
  type OriginalTransactions,
} from "#services/sequencer/original-transactions.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const CONTEXT = transferBlock({ limits: {} }, 105);
const OLD_BLOCK = { number: 95, hash: 0x95n };

/** The block as the other network has it. */
function original(transactions: readonly HashedTransaction[]) {
  const executor = new BlockExecutor(createCairoVm(), transferState(), CONTEXT);
  executor.begin(OLD_BLOCK);
  const receipts = transactions.map((transaction) => {
    const outcome = executor.execute(transaction);
    if (outcome.kind !== "included") throw new TypeError(outcome.kind);
    return outcome.receipt;
  });
  return { receipts, stateDiff: executor.finish().stateDiff };
}

function world() {
  const base = transferState();
  const valueOf = (query: OriginQuery): bigint => {
    switch (query.kind) {
      case "storage":
        return base.storageAt(query.address, query.key);
      case "nonce":
        return base.nonceAt(query.address);
      case "classHash":
        return base.classHashAt(query.address);
      default:
        throw new TypeError(query.kind);
    }
  };
  const values = new FetchedValues({
    answer: (query) => Promise.resolve(bytesFromFelt(valueOf(query))),
  });
  const block = CONTEXT.info.number - 1;
  const felt = (query: OriginQuery): bigint => feltFromBytes(values.ask(query) ?? new Uint8Array());
  const state: StateReader = {
    storageAt: (address, key) => felt({ kind: "storage", block, address, key }),
    nonceAt: (address) => felt({ kind: "nonce", block, address }),
    classHashAt: (address) => felt({ kind: "classHash", block, address }),
    compiledClassHashOf: (hash) => base.compiledClassHashOf(hash),
    executableClass: (hash) => base.executableClass(hash),
  };
  const execute = (originals: OriginalTransactions) =>
    executeOriginals(originals, {
      vm: createCairoVm(),
      context: CONTEXT,
      state,
      values,
      parentNumber: block,
      oldBlock: OLD_BLOCK,
      declared: () => Promise.resolve(undefined),
    });
  return { execute };
}

const PAIR = [transfer(0n), transfer(1n)];

describe("the transactions of another network's block", () => {
  sharedTest("have the same receipts and changes here, whatever was fetched before", async () => {
    const there = original(PAIR);
    for (const stateDiff of [EMPTY_STATE_DIFF, there.stateDiff]) {
      const here = await world().execute({ transactions: PAIR, ...there, stateDiff });
      expect(here.transactions.map(({ hash }) => hash)).toEqual(PAIR.map(({ hash }) => hash));
      expect(here.receipts).toEqual(there.receipts);
      expect(here.stateDiff).toEqual(there.stateDiff);
      expect(here.differences).toEqual([]);
    }
  });

  sharedTest("are reported with both results where they differ", async () => {
    const { receipts, stateDiff } = original(PAIR);
    const [first, second] = receipts as [Receipt, Receipt];
    const changed: readonly Receipt[] = [
      { ...first, actualFee: first.actualFee + 1n },
      { ...second, status: { kind: "reverted", reason: "elsewhere" } },
    ];
    const here = await world().execute({ transactions: PAIR, receipts: changed, stateDiff });
    expect(here.differences).toEqual([
      {
        transactionHash: PAIR[0]?.hash ?? 0n,
        original: `succeeded, fee ${first.actualFee + 1n} fri`,
        own: `succeeded, fee ${first.actualFee} fri`,
      },
      {
        transactionHash: PAIR[1]?.hash ?? 0n,
        original: `reverted, fee ${second.actualFee} fri`,
        own: `succeeded, fee ${second.actualFee} fri`,
      },
    ]);
  });

  sharedTest("are omitted if they cannot be included, with the reason", async () => {
    const { receipts, stateDiff } = original(PAIR);
    const forged = transfer(1n, { signature: [1n, 2n] });
    const transactions = [PAIR[0] ?? forged, forged];
    const here = await world().execute({ transactions, receipts, stateDiff });
    expect(here.transactions.map(({ hash }) => hash)).toEqual([PAIR[0]?.hash ?? 0n]);
    expect(here.differences).toHaveLength(1);
    expect(here.differences[0]?.own).toStartWith("not included: ");
  });

  sharedTest("before the first one are an empty block", async () => {
    const here = await world().execute({
      transactions: [],
      receipts: [],
      stateDiff: EMPTY_STATE_DIFF,
    });
    expect([here.transactions, here.receipts, here.classes]).toEqual([[], [], []]);
    const { blockHash } = CONTEXT.constants.os.contractAddresses;
    expect(here.stateDiff.storageDiffs.get(blockHash)).toEqual(new Map([[95n, 0x95n]]));
  });
});
