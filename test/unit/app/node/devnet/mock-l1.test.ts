import { expect, test } from "bun:test";
import { l2MessageHash, type MessageToL1, type Receipt } from "#protocol/chain/index.ts";
import { MockL1 } from "#app/node/devnet/mock-l1.ts";
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

const flush = (l1: MockL1): readonly MessageToL1[] => l1.flush(100).messages;

function peek(l1: MockL1): readonly MessageToL1[] {
  const { messages, putBack } = l1.flush(100);
  putBack(messages.length);
  return messages;
}

test("consumes a message as often as accepted blocks sent it", () => {
  const chain = chainOf([A], [A, B]);
  const l1 = new MockL1(chain, 0);
  expect([l1.consume(A), l1.consume(A), l1.consume(A)]).toEqual([
    l2MessageHash(A),
    l2MessageHash(A),
    undefined,
  ]);
  chain.blocks.push([A]);
  expect(l1.consume(A)).toBe(l2MessageHash(A));
  expect(l1.consume({ ...B, fromAddress: 9n })).toBeUndefined();
});

test("flushes messages sent since the last flush; a dry flush changes nothing", () => {
  const chain = chainOf([A], [B]);
  const l1 = new MockL1(chain, 0);
  expect(peek(l1)).toEqual([A, B]);
  expect(flush(l1)).toEqual([A, B]);
  expect(flush(l1)).toEqual([]);
  chain.blocks.push([B]);
  expect(flush(l1)).toEqual([B]);
});

test("flushes up to the limit, and flushes restored messages again", () => {
  const l1 = new MockL1(chainOf([A, B], [A]), 0);
  const first = l1.flush(2);
  expect(first.messages).toEqual([A, B]);
  first.putBack(1);
  expect(flush(l1)).toEqual([B, A]);
  expect(flush(l1)).toEqual([]);
});

test("drops restored messages that were reverted meanwhile", () => {
  const chain = chainOf([A], [B, B]);
  const l1 = new MockL1(chain, 0);
  const taken = l1.flush(3);
  chain.blocks.pop();
  l1.revert(0);
  taken.putBack(3);
  expect(flush(l1)).toEqual([]);
});

test("flushes nothing before block 0", () => {
  expect(flush(new MockL1(chainOf(), 0))).toEqual([]);
});

test("forgets messages of reverted blocks", () => {
  const chain = chainOf([A], [A, B]);
  const l1 = new MockL1(chain, 0);
  expect([l1.consume(A), l1.consume(A), l1.consume(B)]).toEqual([
    l2MessageHash(A),
    l2MessageHash(A),
    l2MessageHash(B),
  ]);
  expect(flush(l1)).toHaveLength(3);
  chain.blocks.pop();
  l1.revert(0);
  expect([l1.consume(A), l1.consume(B), peek(l1)]).toEqual([undefined, undefined, []]);
  chain.blocks.push([B, A]);
  expect(peek(l1)).toEqual([B, A]);
  expect([l1.consume(A), l1.consume(A), l1.consume(B)]).toEqual([
    l2MessageHash(A),
    undefined,
    l2MessageHash(B),
  ]);
});

test("keeps a message consumed if its block was not reverted", () => {
  const chain = chainOf([A], [A]);
  const l1 = new MockL1(chain, 0);
  l1.consume(A);
  chain.blocks.pop();
  l1.revert(0);
  expect(l1.consume(A)).toBeUndefined();
});

test("has no messages of blocks before the first local one", () => {
  const chain = chainOf([A], [B]);
  expect(flush(new MockL1(chain, 1))).toEqual([B]);
});
