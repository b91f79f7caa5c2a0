import { expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { encodedTransaction } from "#protocol/chain/index.ts";
import { encodePrevalidated, validateTransaction } from "#engine/execution/index.ts";
import { decodeBatch, encodeBatch } from "#services/admission/batch-codec.ts";
import { plain } from "#test/helpers/plain.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { transfer, transferBlock, transferState } from "#test/helpers/transfer-chain.ts";

sharedTest("a batch keeps transactions in order, each with its validation or none", () => {
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
      { transaction: first, prevalidated: undefined },
      { transaction: second, prevalidated: outcome.prevalidated },
    ]),
  );
});
