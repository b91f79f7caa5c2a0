import { expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, encodedTransaction, type StateDiff } from "#protocol/chain/index.ts";
import {
  decodePendingDelta,
  encodePendingDelta,
  joinDeltas,
  OverlayState,
  type PendingDelta,
  PendingOverlay,
} from "#engine/state/index.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const diffOf = (value: bigint, more: Partial<StateDiff> = {}): StateDiff => ({
  ...EMPTY_STATE_DIFF,
  storageDiffs: new Map([
    [7n, new Map([[1n, value]])],
    [value, new Map([[2n, value]])],
  ]),
  nonces: new Map([[9n, value]]),
  ...more,
});

function deltaOf(sequence: number, hash: bigint, parts: Partial<PendingDelta>): PendingDelta {
  return {
    blockNumber: 5,
    sequence,
    info: sequence === 0 ? testHeader(5) : null,
    transactions: [encodedTransaction({ hash, transaction: emptyInvoke(hash, 0n) })],
    receipts: [fakeReceipt({ transactionHash: hash })],
    classes: [],
    diff: EMPTY_STATE_DIFF,
    sealed: false,
    ...parts,
  };
}

const MESSAGE = {
  l1TransactionHash: 3n,
  transactionHash: 1n,
  messageHash: 5n,
  l1BlockNumber: 6,
  nonce: 4n,
};
const FIRST = deltaOf(0, 1n, {
  diff: diffOf(20n, { deployedContracts: new Map([[8n, 30n]]) }),
  l1Messages: [MESSAGE],
  classes: [{ classHash: 30n, contractClass: new Uint8Array([1]), casmJson: null }],
});
const LAST = deltaOf(1, 2n, {
  diff: diffOf(21n, { replacedClasses: new Map([[8n, 31n]]) }),
  classes: [{ classHash: 31n, contractClass: new Uint8Array([2]), casmJson: null }],
  sealed: true,
});

/** View of a reader after these deltas. */
function seen(deltas: readonly PendingDelta[]) {
  const none = new OverlayState(ZEROS, EMPTY_STATE_DIFF);
  const overlay = new PendingOverlay(numberedChain(4, () => none));
  for (const delta of deltas) overlay.apply(delta);
  const block = overlay.newest();
  const { info, transactions, receipts, stateDiff } = block ?? {};
  const found = [1n, 2n].map((hash) => block?.find(hash));
  const consumed = block?.consumedL1Message?.(4n);
  return { info, transactions, receipts, stateDiff, found, consumed };
}

const ZEROS = {
  storageAt: () => 0n,
  nonceAt: () => 0n,
  classHashAt: () => 0n,
  compiledClassHashOf: () => 0n,
  executableClass: () => undefined,
};

test("a joined delta has the same effect as both deltas", () => {
  const joint = joinDeltas(FIRST, LAST);
  expect(seen([joint])).toEqual(seen([FIRST, LAST]));
  expect(seen([joint]).stateDiff?.deployedContracts).toEqual(new Map([[8n, 31n]]));
});

test("a joined delta starts at the first one, ends like the last, and has the classes of both", () => {
  const joint = joinDeltas(FIRST, LAST);
  expect(joint).toMatchObject({ blockNumber: 5, sequence: 0, sealed: true });
  expect(joint.info).toBe(FIRST.info);
  expect(joint.classes.map(({ classHash }) => classHash)).toEqual([30n, 31n]);
  expect(joint.l1Messages).toEqual([MESSAGE]);
});

test("joinDeltas does not modify its inputs", () => {
  const before = [FIRST, LAST].map((delta) => encodePendingDelta(delta));
  joinDeltas(FIRST, LAST);
  expect([FIRST, LAST].map((delta) => encodePendingDelta(delta))).toEqual(before);
});

test("a joined delta omits empty L1 messages, also when encoded", () => {
  const joint = joinDeltas(LAST, LAST);
  expect("l1Messages" in joint).toBe(false);
  expect(decodePendingDelta(encodePendingDelta(joint)).transactions).toHaveLength(2);
});
