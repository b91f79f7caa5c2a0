import { describe, expect, test } from "bun:test";
import { DecodeError } from "#base/errors/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { type DeclareV3, encodedTransaction } from "#protocol/chain/index.ts";
import { encodePrevalidated, validateTransaction } from "#engine/execution/index.ts";
import { decodeBatch, encodeBatch } from "#services/admission/batch-codec.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { plain } from "#test/helpers/plain.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

sharedTest(
  "a batch keeps the order of transactions, each with its validation if there is one",
  () => {
    const first = encodedTransaction(transfer(0n));
    const second = encodedTransaction(transfer(1n));
    const outcome = validateTransaction(createCairoVm(), transferState(), transferBlock(), second);
    if (outcome.kind !== "valid" || outcome.prevalidated === undefined) {
      throw new TypeError("the transfer is not valid");
    }
    const bytes = encodeBatch([
      { transaction: first.bytes, prevalidated: undefined },
      {
        transaction: second.bytes,
        prevalidated: encodePrevalidated(outcome.prevalidated),
      },
    ]);
    expect(plain(decodeBatch(bytes))).toEqual(
      plain([
        { transaction: first, prevalidated: undefined, declared: undefined },
        { transaction: second, prevalidated: outcome.prevalidated, declared: undefined },
      ]),
    );
  },
);

describe("the class of a declaration", () => {
  const { proofFacts: _facts, calldata: _calldata, ...fields } = emptyInvoke(1n, 0n);
  const transaction: DeclareV3 = {
    ...fields,
    type: "DECLARE",
    classHash: 0xc1a55n,
    compiledClassHash: 0xca5en,
  };
  const declare = encodedTransaction({ hash: 7n, transaction });
  const invoke = encodedTransaction({ hash: 8n, transaction: emptyInvoke(1n, 1n) });
  const declared = { contractClass: Uint8Array.of(1, 2), casmJson: '{"a": "\u00e9"}' };
  const prevalidated = undefined;

  test("is decoded with the hash that the declaration names", () => {
    const bytes = encodeBatch([
      { transaction: invoke.bytes, prevalidated },
      { transaction: declare.bytes, prevalidated, declared },
      { transaction: declare.bytes, prevalidated },
      { transaction: declare.bytes, prevalidated, declared: { ...declared, casmJson: null } },
    ]);
    expect(decodeBatch(bytes).map((candidate) => candidate.declared)).toEqual([
      undefined,
      { classHash: 0xc1a55n, ...declared },
      undefined,
      { classHash: 0xc1a55n, ...declared, casmJson: null },
    ]);
  });

  test("is rejected with any other transaction", () => {
    const bytes = encodeBatch([{ transaction: invoke.bytes, prevalidated, declared }]);
    expect(() => decodeBatch(bytes)).toThrow(DecodeError);
  });
});

test("a batch keeps the mark of impersonated senders", () => {
  const { bytes: transaction } = encodedTransaction({ hash: 8n, transaction: emptyInvoke(1n, 1n) });
  const candidates = [{ isImpersonated: true }, { isImpersonated: false }, {}].map((mark) => ({
    transaction,
    prevalidated: undefined,
    ...mark,
  }));
  const decoded = decodeBatch(encodeBatch(candidates));
  expect(decoded.map(({ isImpersonated }) => isImpersonated ?? false)).toEqual([
    true,
    false,
    false,
  ]);
});
