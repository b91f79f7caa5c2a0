import { expect, test } from "bun:test";
import { expectedReads, senderReads } from "#app/node/fork/expected-reads.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { type OriginQuery, originQueryText } from "#io/origin/index.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { STRK, transfer } from "#test/helpers/transfer-chain.ts";

const block = 9;
const PLACE = { block, feeToken: STRK, ownKeys: [0x70n] };
const SENDER = 0x1234n;

const textsOf = (queries: readonly OriginQuery[]): readonly string[] =>
  queries.map(originQueryText);

test("an account's nonce, class, balance and keys are expected to be read", () => {
  const texts = textsOf(senderReads(SENDER, PLACE));
  const expected: readonly OriginQuery[] = [
    { kind: "nonce", block, address: SENDER },
    { kind: "classHash", block, address: SENDER },
    { kind: "storage", block, address: STRK, key: balanceKey(SENDER) },
    { kind: "storage", block, address: SENDER, key: selectorFromName("Account_public_key") },
    { kind: "storage", block, address: SENDER, key: 0x70n },
  ];
  for (const text of textsOf(expected)) expect(texts).toContain(text);
});

test("the called contracts of a transaction are expected to be read besides its sender", () => {
  const { transaction } = transfer(0n);
  const texts = textsOf(expectedReads(transaction, PLACE));
  const sender = senderAddressOf(transaction);
  expect(texts).toContain(originQueryText({ kind: "nonce", block, address: sender }));
  expect(texts).toContain(originQueryText({ kind: "classHash", block, address: STRK }));
});
