import { expect, test } from "bun:test";
import { InvariantError } from "#base/errors/index.ts";
import {
  computeCommitments,
  EMPTY_STATE_DIFF,
  encodedTransaction,
  encodeStateDiff,
} from "#protocol/chain/index.ts";
import { encodePendingDelta, type PendingDelta } from "#engine/state/index.ts";
import { DraftAssembly } from "#services/sequencer/draft-assembly.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = testHeader(5);
const INFO = { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion };
const FIRST = encodedTransaction({ hash: 7n, transaction: emptyInvoke(1n, 0n) });
const SECOND = encodedTransaction({ hash: 8n, transaction: emptyInvoke(1n, 1n) });
const SLOT = (value: bigint) => ({
  ...EMPTY_STATE_DIFF,
  storageDiffs: new Map([[1n, new Map([[2n, value]])]]),
});

function delta(sequence: number, parts: Partial<PendingDelta> = {}) {
  const bytes = encodePendingDelta({
    blockNumber: 5,
    sequence,
    info: sequence === 0 ? INFO : null,
    transactions: [],
    receipts: [],
    diff: EMPTY_STATE_DIFF,
    classes: [],
    sealed: false,
    ...parts,
  });
  return { bytes };
}

const SEALED = { blockNumber: 5, stateDiff: encodeStateDiff(EMPTY_STATE_DIFF) };

test("assembles the transactions of all deltas with the state diff of the seal", () => {
  const assembly = new DraftAssembly();
  assembly.add(delta(0));
  assembly.add(delta(1, { transactions: [FIRST], diff: SLOT(9n) }));
  // The slot has its old value again: the block changes nothing.
  assembly.add(delta(2, { transactions: [SECOND], diff: SLOT(0n), sealed: true }));
  const { commitments: _, ...draft } = assembly.seal(SEALED);
  expect(draft).toEqual({
    info: INFO,
    transactions: [FIRST, SECOND],
    receipts: [],
    classes: [],
    stateDiff: EMPTY_STATE_DIFF,
  });
});

test("computes the block's commitments from the deltas", () => {
  const receipts = [FIRST, SECOND].map(({ hash }) => fakeReceipt({ transactionHash: hash }));
  const assembly = new DraftAssembly();
  assembly.add(delta(0, { transactions: [FIRST], receipts: receipts.slice(0, 1) }));
  assembly.add(delta(1, { transactions: [SECOND], receipts: receipts.slice(1) }));
  const { transactions, stateDiff, commitments } = assembly.seal(SEALED);
  expect(commitments.finish(stateDiff)).toEqual(
    computeCommitments({ transactions, receipts, stateDiff }, protocolVersion),
  );
});

test("decodes the changes of a delta on request", () => {
  const assembly = new DraftAssembly();
  expect(assembly.add(delta(0, { diff: SLOT(9n) }))).toBeUndefined();
  expect(assembly.add(delta(1, { diff: SLOT(8n) }), true)).toEqual(SLOT(8n));
});

test("assembles the classes of all deltas in order", () => {
  const declared = [1n, 2n, 3n].map((classHash) => ({
    classHash,
    contractClass: Uint8Array.of(Number(classHash)),
    casmJson: "{}",
  }));
  const assembly = new DraftAssembly();
  assembly.add(delta(0, { classes: declared.slice(2) }));
  assembly.add(delta(1));
  assembly.add(delta(2, { classes: declared.slice(0, 2) }));
  expect(assembly.seal(SEALED).classes.map(({ classHash }) => classHash)).toEqual([3n, 1n, 2n]);
  assembly.add(delta(0, { blockNumber: 6, info: { ...INFO, number: 6 } }));
  expect(assembly.seal({ ...SEALED, blockNumber: 6 }).classes).toEqual([]);
});

test("starts the next block empty", () => {
  const assembly = new DraftAssembly();
  assembly.add(delta(0, { transactions: [FIRST] }));
  assembly.seal(SEALED);
  assembly.add(delta(0, { blockNumber: 6, info: { ...INFO, number: 6 } }));
  expect(assembly.seal({ ...SEALED, blockNumber: 6 }).transactions).toEqual([]);
});

test.each([
  ["a delta is missing", [delta(0), delta(2)]],
  ["a delta is repeated", [delta(0), delta(0)]],
  ["the first delta is missing", [delta(1)]],
  ["a delta belongs to another block", [delta(0), delta(1, { blockNumber: 6 })]],
  ["a block starts before its parent is sealed", [delta(0), delta(0, { blockNumber: 6 })]],
])("throws if %s", (_, deltas) => {
  const assembly = new DraftAssembly();
  expect(() => {
    for (const each of deltas) assembly.add(each);
  }).toThrow(InvariantError);
});

test("throws if another block than the open one is sealed", () => {
  const assembly = new DraftAssembly();
  expect(() => assembly.seal(SEALED)).toThrow(InvariantError);
  assembly.add(delta(0));
  expect(() => assembly.seal({ ...SEALED, blockNumber: 4 })).toThrow(InvariantError);
});

test("discards everything when a block starts again", () => {
  const receipts = [FIRST, SECOND].map(({ hash }) => fakeReceipt({ transactionHash: hash }));
  const later = { ...INFO, timestamp: INFO.timestamp + 9 };
  const assembly = new DraftAssembly();
  assembly.add(delta(0, { transactions: [SECOND], receipts: receipts.slice(1) }));
  assembly.add(delta(1));
  assembly.add(delta(2, { info: later, transactions: [FIRST], receipts: receipts.slice(0, 1) }));
  assembly.add(delta(3, { transactions: [SECOND], receipts: receipts.slice(1), sealed: true }));
  const { info, transactions, stateDiff, commitments } = assembly.seal(SEALED);
  expect([info, transactions]).toEqual([later, [FIRST, SECOND]]);
  expect(commitments.finish(stateDiff)).toEqual(
    computeCommitments({ transactions, receipts, stateDiff }, protocolVersion),
  );
  expect(() => assembly.add(delta(4, { info: later }))).toThrow(InvariantError);
});
