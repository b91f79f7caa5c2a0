import { expect, test } from "bun:test";
import fc from "fast-check";
import { callTargets } from "#services/explorer-index/index.ts";
import { feltLists, felts } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";

const calls = fc.array(fc.record({ to: felts, selector: felts, calldata: feltLists }), {
  maxLength: 5,
});

test("finds the targets of a Cairo 1 account's calls", () => {
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
      expect(callTargets(calldata)).toEqual(made.map(({ to }) => to));
    }),
  );
});

test("finds the targets of a Cairo 0 account's call array", () => {
  const array = [0xan, 1n, 0n, 2n, 0xbn, 2n, 2n, 1n];
  const data = [7n, 8n, 9n];
  expect(callTargets([2n, ...array, 3n, ...data])).toEqual([0xan, 0xbn]);
});

test("finds the targets of an old Cairo 0 account, whose calldata ends with the nonce", () => {
  expect(callTargets([1n, 0xan, 1n, 0n, 1n, 1n, 7n, 0x99n])).toEqual([0xan]);
});

test.each([
  ["nothing", []],
  ["a count without calls", [3n]],
  ["a count above the length", [2n ** 200n, 1n, 2n, 3n]],
  ["a length beyond the end", [1n, 0xan, 1n, 5n, 1n]],
  ["a length that is no number of felts", [1n, 0xan, 1n, 2n ** 250n, 1n]],
  ["felts after the last call", [1n, 0xan, 1n, 0n, 1n]],
] as const)("finds no target in %s", (_, calldata) => {
  expect(callTargets(calldata)).toEqual([]);
});

test("ends for any calldata", () => {
  assertProperty(
    fc.property(feltLists, (calldata) => {
      expect(callTargets(calldata).length).toBeLessThanOrEqual(calldata.length);
    }),
  );
});
