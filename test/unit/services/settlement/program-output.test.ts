import { expect, test } from "bun:test";
import { toHex } from "viem";
import { stateUpdate } from "#services/settlement/index.ts";
import { plainBlock, NO_STATE } from "#test/helpers/fake-core.ts";
import {
  NO_BLOCK,
  TEST_CONFIG_HASH,
  TEST_PROGRAM_HASH,
  updateFact,
  updateOutput,
} from "#test/helpers/l1-core.ts";

const RULES = { programHash: TEST_PROGRAM_HASH, configHash: TEST_CONFIG_HASH };

test("starts the first update with -1 as a felt, and without a root", () => {
  const { programOutput, fact } = stateUpdate(NO_STATE, plainBlock(0), RULES);
  expect(programOutput).toEqual([
    0n,
    0x200n,
    NO_BLOCK,
    0n,
    0n,
    0x100n,
    0n,
    TEST_CONFIG_HASH,
    0n,
    0n,
    0n,
    0n,
  ]);
  expect(toHex(fact, { size: 32 })).toBe(updateFact(programOutput));
});

test("puts messages after the header, hashed like the core contract does", () => {
  const block = {
    ...plainBlock(5),
    messagesToL1: [
      { fromAddress: 1n, toAddress: 2n, payload: [3n, 4n] },
      { fromAddress: 5n, toAddress: 6n, payload: [] },
    ],
    messagesToL2: [
      {
        type: "L1_HANDLER",
        version: 0,
        nonce: 9n,
        contractAddress: 10n,
        entryPointSelector: 11n,
        calldata: [12n, 13n],
        paidFeeOnL1: null,
      },
    ],
  } as const;
  const from = { blockNumber: 4n, blockHash: block.parentHash, stateRoot: 0x204n };
  const { programOutput, fact } = stateUpdate(from, block, RULES);
  const expected = updateOutput({
    previous: { root: 0x204n, number: 4n, hash: 0x104n },
    next: { root: 0x205n, number: 5n, hash: 0x105n },
    toL1: [1n, 2n, 2n, 3n, 4n, 5n, 6n, 0n],
    toL2: [12n, 10n, 9n, 11n, 1n, 13n],
  });
  expect(programOutput).toEqual(expected);
  expect(toHex(fact, { size: 32 })).toBe(updateFact(expected));
});
