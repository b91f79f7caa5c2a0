import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type BlockBundle,
  bundleFromParts,
  decodeBundle,
  MAX_BUNDLE_ITEMS,
} from "#protocol/chain/bundle/bundle.ts";
import { decodeContractClass, encodeContractClass } from "#protocol/chain/bundle/class.ts";
import {
  decodeBlockInputs,
  decodeHeader,
  encodeBlockInputs,
  encodeHeader,
} from "#protocol/chain/bundle/header.ts";
import { decodeReceipt, encodeReceipt } from "#protocol/chain/bundle/receipt.ts";
import { decodeStateDiff, encodeStateDiff } from "#protocol/chain/bundle/state-diff.ts";
import {
  decodeTransaction,
  encodeTransaction,
  encodeUnhashed,
  isHashed,
  withHash,
} from "#protocol/chain/bundle/transaction.ts";
import { EMPTY_STATE_DIFF, type HashedTransaction, type StateDiff } from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  blockInputs,
  bundles,
  contractClasses,
  encodedTransactions,
  headers,
  receipts,
  stateDiffs,
} from "#test/helpers/arbitraries.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import { assertProperty } from "#test/helpers/property.ts";

const diffOf = (part: Partial<StateDiff>): StateDiff => ({ ...EMPTY_STATE_DIFF, ...part });

test("a transaction encoded before hashing gets the same bytes once its hash is added", () => {
  assertProperty(
    fc.property(encodedTransactions, ({ hash, transaction, bytes }) => {
      const unhashed = decodeTransaction(encodeUnhashed(transaction));
      expect(isHashed(unhashed)).toBe(false);
      expect(withHash(unhashed, hash)).toEqual(bytes);
    }),
    { numRuns: 300 },
  );
});

describe("encoding and decoding are inverse for", () => {
  test("a transaction of any type and version", () => {
    assertProperty(
      fc.property(encodedTransactions, (value) => {
        expect(decodeTransaction(encodeTransaction(value))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test("a receipt", () => {
    assertProperty(
      fc.property(receipts, (value) => {
        expect(decodeReceipt(encodeReceipt(value))).toEqual(value);
      }),
    );
  });

  test("a state diff", () => {
    assertProperty(
      fc.property(stateDiffs, (value) => {
        expect(decodeStateDiff(encodeStateDiff(value))).toEqual(value);
      }),
    );
  });

  test("a class", () => {
    assertProperty(
      fc.property(contractClasses, (value) => {
        expect(decodeContractClass(encodeContractClass(value))).toEqual(value);
      }),
    );
  });

  test("a header", () => {
    assertProperty(
      fc.property(headers, (value) => {
        expect(decodeHeader(encodeHeader(value))).toEqual(value);
      }),
    );
  });

  test("the inputs of a block", () => {
    assertProperty(
      fc.property(blockInputs, (value) => {
        expect(decodeBlockInputs(encodeBlockInputs(value))).toEqual(value);
      }),
    );
  });

  test("a bundle", () => {
    assertProperty(
      fc.property(bundles, (value) => {
        expect(decodeBundle(encodeBundle(value))).toEqual(value);
      }),
    );
  });
});

describe("bundle encoding", () => {
  test("is canonical: decodable bytes encode to themselves", () => {
    const damaged = fc.tuple(bundles, fc.nat(), fc.nat({ max: 255 })).map(([bundle, at, byte]) => {
      const bytes = encodeBundle(bundle);
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    assertProperty(
      fc.property(damaged, (bytes) => {
        let decoded;
        try {
          decoded = decodeBundle(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
          return;
        }
        expect(encodeBundle(decoded)).toEqual(bytes);
      }),
      { numRuns: 1000 },
    );
  });

  test("decodes any bytes or fails with a DecodeError", () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const decode of [decodeBundle, decodeTransaction, decodeReceipt, decodeStateDiff]) {
          try {
            decode(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("does not depend on the order of maps and classes", () => {
    const forward = diffOf({
      nonces: new Map([
        [1n, 2n],
        [3n, 4n],
      ]),
    });
    const backward = diffOf({
      nonces: new Map([
        [3n, 4n],
        [1n, 2n],
      ]),
    });
    expect(encodeStateDiff(forward)).toEqual(encodeStateDiff(backward));
  });

  test("omits contracts without changes", () => {
    const diff = diffOf({ storageDiffs: new Map([[7n, new Map()]]) });
    expect(encodeStateDiff(diff)).toEqual(encodeStateDiff(EMPTY_STATE_DIFF));
  });
});

describe("decodeBundle rejects", () => {
  const [sample] = fc.sample(bundles, { numRuns: 1, seed: 1 });
  const bytes = encodeBundle(sample as BlockBundle);

  test("another version", () => {
    const other = bytes.slice();
    other[0] = 2;
    expect(() => decodeBundle(other)).toThrow("bundle[0]: expected bundle version 1");
  });

  test("truncated bytes", () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeBundle(bytes.subarray(0, length))).toThrow(DecodeError);
    }
  });

  test("lists with too many items in total", () => {
    const { block, epoch, inputs } = sample as BlockBundle;
    const deploy = (calldata: number): HashedTransaction => ({
      hash: 1n,
      transaction: {
        type: "DEPLOY",
        version: 0,
        contractAddress: 1n,
        classHash: 2n,
        contractAddressSalt: 3n,
        constructorCalldata: Array.from({ length: calldata }, () => 0n),
      },
    });
    const bytesWith = (count: number): Uint8Array =>
      bundleFromParts({
        header: encodeHeader(block.header),
        signature: block.signature,
        epoch,
        inputs: encodeBlockInputs({ ...inputs, l1Messages: [] }),
        transactions: Array.from({ length: count }, () => encodeTransaction(deploy(1_000_000))),
        receipts: [],
        stateDiff: encodeStateDiff(EMPTY_STATE_DIFF),
        classes: [],
      });
    expect(() => decodeBundle(bytesWith(3))).toThrow("one receipt per transaction");
    expect(() => decodeBundle(bytesWith(4))).toThrow("no more items than the limit");
    expect(MAX_BUNDLE_ITEMS).toBe(4_000_000);
  });

  test("trailing bytes", () => {
    expect(() => decodeBundle(Uint8Array.of(...bytes, 0))).toThrow(DecodeError);
  });

  test("unsorted maps", () => {
    // No storage; two nonces with keys 3 and 1; five empty parts.
    const unsorted = Uint8Array.of(0, 2, 1, 3, 1, 4, 1, 1, 1, 2, 0, 0, 0, 0, 0);
    expect(() => decodeStateDiff(unsorted)).toThrow("keys in ascending order");
  });
});
