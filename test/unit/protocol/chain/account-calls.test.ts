import { expect, test } from "bun:test";
import fc from "fast-check";
import { accountCalls } from "#protocol/chain/index.ts";
import { feltLists, felts } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";

const calls = fc.array(fc.record({ to: felts, selector: felts, calldata: feltLists }), {
  maxLength: 5,
});

/** The calls with their arguments; `undefined` for another form. */
function read(calldata: readonly bigint[]) {
  return accountCalls(calldata)?.map(({ to, selector, start, end }) => {
    return { to, selector, calldata: calldata.slice(start, end) };
  });
}

test("finds the calls of a Cairo 1 account with their arguments", () => {
  assertProperty(
    fc.property(calls, (made) => {
      const calldata = [
        BigInt(made.length),
        ...made.flatMap((call) => [
          call.to,
          call.selector,
          BigInt(call.calldata.length),
          ...call.calldata,
        ]),
      ];
      expect(read(calldata)).toEqual(made);
    }),
  );
});

const ARRAY = [0xan, 1n, 0n, 2n, 0xbn, 2n, 2n, 1n];
const TWO_CALLS = [
  { to: 0xan, selector: 1n, calldata: [7n, 8n] },
  { to: 0xbn, selector: 2n, calldata: [9n] },
];

test("finds the calls of a Cairo 0 account's call array", () => {
  expect(read([2n, ...ARRAY, 3n, 7n, 8n, 9n])).toEqual(TWO_CALLS);
});

test("finds the calls of an old Cairo 0 account, whose calldata ends with the nonce", () => {
  expect(read([2n, ...ARRAY, 3n, 7n, 8n, 9n, 0x99n])).toEqual(TWO_CALLS);
});

test("finds calls of a Cairo 0 account that share arguments", () => {
  const shared = [0xan, 1n, 0n, 2n, 0xbn, 2n, 1n, 1n];
  expect(read([2n, ...shared, 2n, 7n, 8n])).toEqual([
    { to: 0xan, selector: 1n, calldata: [7n, 8n] },
    { to: 0xbn, selector: 2n, calldata: [8n] },
  ]);
});

test.each([[[0n]], [[0n, 0n]], [[0n, 0n, 5n]]] as const)("finds no calls in %p", (calldata) => {
  expect(read(calldata)).toEqual([]);
});

test.each([
  ["nothing", []],
  ["a count without calls", [3n]],
  ["a count above the length", [2n ** 200n, 1n, 2n, 3n]],
  ["a length beyond the end", [1n, 0xan, 1n, 5n, 1n]],
  ["a length that is no number of felts", [1n, 0xan, 1n, 2n ** 250n, 1n]],
  ["felts after the last call", [1n, 0xan, 1n, 0n, 1n]],
  ["two felts after a Cairo 0 account's arguments", [1n, 0xan, 1n, 0n, 1n, 1n, 7n, 8n, 9n]],
  ["an entry that ends after all arguments", [1n, 0xan, 1n, 1n, 1n, 1n, 7n]],
] as const)("takes %s for no form of calls", (_, calldata) => {
  expect(accountCalls(calldata)).toBeUndefined();
});

test("ends for any calldata, with calls inside of it", () => {
  assertProperty(
    fc.property(feltLists, (calldata) => {
      for (const { start, end } of accountCalls(calldata) ?? []) {
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(calldata.length);
      }
    }),
  );
});
