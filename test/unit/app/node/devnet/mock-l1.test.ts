import { expect, test } from "bun:test";
import { l2MessageHash, type MessageToL1, type Receipt } from "#protocol/chain/index.ts";
import { MAX_FLUSHED, MockL1 } from "#app/node/devnet/mock-l1.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";

const A: MessageToL1 = { fromAddress: 1n, toAddress: 2n, payload: [3n] };
const B: MessageToL1 = { fromAddress: 1n, toAddress: 2n, payload: [4n] };

function chainOf(...blocks: readonly (readonly MessageToL1[])[]) {
  const shown = [...blocks];
  return {
    blocks: shown,
    latestNumber: () => (shown.length === 0 ? undefined : shown.length - 1),
    receipts: (number: number): Receipt[] => [
      { ...fakeReceipt({ transactionHash: BigInt(number) }), messages: shown[number] ?? [] },
    ],
  };
}

test("a message is consumed as often as accepted blocks sent it", () => {
  const chain = chainOf([A], [A, B]);
  const l1 = new MockL1(chain);
  expect([l1.consume(A), l1.consume(A), l1.consume(A)]).toEqual([
    l2MessageHash(A),
    l2MessageHash(A),
    undefined,
  ]);
  chain.blocks.push([A]);
  expect(l1.consume(A)).toBe(l2MessageHash(A));
  expect(l1.consume({ ...B, fromAddress: 9n })).toBeUndefined();
});

test("a flush tells what was sent since the last one, a dry one changes nothing", () => {
  const chain = chainOf([A], [B]);
  const l1 = new MockL1(chain);
  expect(l1.flush(true)).toEqual([A, B]);
  expect(l1.flush(false)).toEqual([A, B]);
  expect(l1.flush(false)).toEqual([]);
  chain.blocks.push([B]);
  expect(l1.flush(false)).toEqual([B]);
});

test("a flush tells a bounded number, the next one the rest", () => {
  const many = Array.from({ length: MAX_FLUSHED + 1 }, () => A);
  const l1 = new MockL1(chainOf(many));
  expect([l1.flush(false).length, l1.flush(false).length]).toEqual([MAX_FLUSHED, 1]);
});

test("before block 0 there is nothing", () => {
  expect(new MockL1(chainOf()).flush(false)).toEqual([]);
});

test("its contract stands where starknet-devnet deploys one to a new Anvil", () => {
  // MESSAGING_L1_ADDRESS of starknet-devnet's tests.
  expect(new MockL1(chainOf()).address).toBe(0x5fbdb2315678afecb367f032d93f642f64180aa3n);
});

test("what blocks sent that were reverted was never sent", () => {
  const chain = chainOf([A], [A, B]);
  const l1 = new MockL1(chain);
  expect([l1.consume(A), l1.consume(A), l1.consume(B)]).toEqual([
    l2MessageHash(A),
    l2MessageHash(A),
    l2MessageHash(B),
  ]);
  expect(l1.flush(false)).toHaveLength(3);
  chain.blocks.pop();
  l1.revert(0);
  expect([l1.consume(A), l1.consume(B), l1.flush(true)]).toEqual([undefined, undefined, []]);
  chain.blocks.push([B, A]);
  expect(l1.flush(true)).toEqual([B, A]);
  expect([l1.consume(A), l1.consume(A), l1.consume(B)]).toEqual([
    l2MessageHash(A),
    undefined,
    l2MessageHash(B),
  ]);
});

test("a message of a block that stays can be consumed once, whatever was reverted", () => {
  const chain = chainOf([A], [A]);
  const l1 = new MockL1(chain);
  l1.consume(A);
  chain.blocks.pop();
  l1.revert(0);
  expect(l1.consume(A)).toBeUndefined();
});
