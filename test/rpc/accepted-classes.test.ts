import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { parseJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { EMPTY_STATE_DIFF, sierraClassHash } from "#protocol/chain/index.ts";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { DECLARE } from "#test/helpers/broadcasted.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import { resultOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const ADDRESS = 0xdec1n;

/** Texts that parsing and re-encoding would change. */
const ABIS: readonly (readonly [name: string, abi: string])[] = [
  ["spaces and line ends", ' [ {"b" :1,\t"a":\r\n2} ]\n\n'],
  [
    "escapes next to the same characters unescaped",
    '["\\u00e9 \u00e9 \\ud83e\\uddea \u{1f9ea} \\/ /"]',
  ],
  ["members out of order, twice, and like indices", '{"z":1,"10":2,"9":3,"a":4,"z":5}'],
  ["numbers that a float would round", "[12345678901234567890, 1.0, 1e2, -0]"],
  ["invalid JSON", '[{"type": "function"'],
  ["a byte order mark and a NUL", "\ufeff[]\0"],
  ["no characters", ""],
];

let folder: ChainFolder;

beforeEach(async () => {
  folder = await openChainFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** Class of a declare transaction, parsed from the text of a request. */
function classOf(abi: string) {
  const contract_class = { ...DECLARE.contract_class, abi };
  const request = parseJson(JSON.stringify({ ...DECLARE, contract_class }));
  const read = SPEC_0_10_2.declare.decode(request, "declare_transaction");
  if (read.kind !== "transaction") throw new TypeError("the version is served");
  const { contractClass } = read.transaction;
  if (contractClass.kind !== "sierra") throw new TypeError("it is a Sierra class");
  return { request: contract_class, contractClass };
}

describe("getClass and getClassAt return a class as declared", () => {
  for (const [name, abi] of ABIS) {
    test(`when its ABI has ${name}`, async () => {
      const { request, contractClass } = classOf(abi);
      const classHash = sierraClassHash(contractClass);
      folder.writer.commitBlock(
        blockCommit(0, {
          classes: [{ classHash, contractClass, casmJson: null }],
          stateDiff: {
            ...EMPTY_STATE_DIFF,
            declaredClasses: new Map([[classHash, 1n]]),
            deployedContracts: new Map([[ADDRESS, classHash]]),
          },
        }),
      );
      const context = sampleContext({ chain: folder.reader, pending: () => undefined });
      const byHash = await resultOf("getClass", ["latest", hexFromFelt(classHash)], context);
      expect(byHash).toEqual(request);
      const byAddress = ["latest", hexFromFelt(ADDRESS)];
      expect(await resultOf("getClassAt", byAddress, context)).toEqual(request);
    });
  }
});

test("an ABI that is not valid Unicode is rejected because it could not be returned unchanged", () => {
  expect(() => classOf("[\ud83e]")).toThrow("contract_class.abi");
});
