import fc from "fast-check";
import { describe, expect, test } from "bun:test";
import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type GatewayBlock,
  readBlockReference,
  readGatewaySignature,
  readGatewayWholeBlock,
  writeBlockReference,
  writeGatewaySignature,
  writeGatewayWholeBlock,
} from "#io/feeder/index.ts";
import type {
  HashedTransaction,
  Receipt,
  SealedBlock,
  StateDiff,
  Transaction,
} from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { felts, sealedBlocks } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";

const TRIE_LIMIT = 1n << 251n;

const VERSIONS = ["", "0.13.0", "0.13.1", "0.13.2", "0.13.4", "0.14.1", "0.14.4"];

/** Through a text, as between a server and a client. */
function sent(value: JsonValue): JsonValue {
  return parseJson(stringifyJson(value));
}

/** Keys as the tries of a state have them. */
function withinTries(diff: StateDiff): StateDiff {
  const keys = <V>(map: ReadonlyMap<Felt, V>): Map<Felt, V> =>
    new Map(Array.from(map, ([key, value]) => [key % TRIE_LIMIT, value]));
  return {
    storageDiffs: new Map(
      Array.from(keys(diff.storageDiffs), ([address, entries]) => [address, keys(entries)]),
    ),
    nonces: keys(diff.nonces),
    deployedContracts: keys(diff.deployedContracts),
    replacedClasses: keys(diff.replacedClasses),
    declaredClasses: keys(diff.declaredClasses),
    deprecatedDeclaredClasses: new Set(
      Array.from(diff.deprecatedDeclaredClasses, (hash) => hash % TRIE_LIMIT),
    ),
    migratedCompiledClasses: keys(diff.migratedCompiledClasses),
  };
}

/** Without what gateways do not tell. */
function told(transaction: Transaction): Transaction {
  return transaction.type === "L1_HANDLER" ? { ...transaction, paidFeeOnL1: null } : transaction;
}

function receiptOf(receipt: Receipt, of: HashedTransaction): Receipt {
  const { isImpersonated: _impersonated, ...rest } = receipt;
  return {
    ...rest,
    transactionHash: of.hash,
    feeUnit: of.transaction.version === 3 ? "FRI" : "WEI",
  };
}

function blockOf(sealed: SealedBlock, protocolVersion: string): GatewayBlock {
  const { transactionCount: _t, eventCount: _e, ...header } = sealed.header;
  const isFrom = compareProtocolVersions(protocolVersion, "0.13.2") >= 0;
  const transactions = sealed.transactions.map(({ hash, transaction }) => ({
    hash,
    transaction: told(transaction),
  }));
  return {
    header: {
      ...header,
      protocolVersion,
      status: "ACCEPTED_ON_L2",
      ...(isFrom
        ? {}
        : {
            receiptCommitment: undefined,
            stateDiffCommitment: undefined,
            stateDiffLength: undefined,
          }),
    },
    transactions,
    receipts: sealed.receipts.map((receipt, i) =>
      receiptOf(receipt, transactions[i] as HashedTransaction),
    ),
  };
}

const sealedWithVersion = fc.tuple(sealedBlocks, fc.constantFrom(...VERSIONS), fc.boolean());

describe("what is written is read as it was", () => {
  test("blocks of every version, with state update and signature", () => {
    assertProperty(
      fc.property(sealedWithVersion, ([sealed, version, isSigned]) => {
        const block = blockOf(sealed, version);
        const whole = {
          block,
          update: {
            blockHash: sealed.header.hash,
            newRoot: sealed.header.newRoot,
            oldRoot: sealed.header.parentHash,
            stateDiff: withinTries(sealed.stateDiff),
          },
          signature: isSigned ? sealed.signature : undefined,
        };
        expect(readGatewayWholeBlock(sent(writeGatewayWholeBlock(whole)))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test("headers alone, and signatures", () => {
    assertProperty(
      fc.property(fc.nat(), felts, felts, felts, (number, hash, r, s) => {
        const reference = writeBlockReference({ number, hash });
        expect(Object.keys(reference).sort()).toEqual(["block_hash", "block_number"]);
        expect(readBlockReference(sent(reference))).toEqual({ number, hash });
        const signature = sent(writeGatewaySignature(hash, { r, s }));
        expect(readGatewaySignature(signature)).toEqual({ blockHash: hash, r, s });
      }),
    );
  });
});
