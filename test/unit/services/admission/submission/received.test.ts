import { expect, test } from "bun:test";
import { encodedTransaction, encodeUnhashed, transactionHash } from "#protocol/chain/index.ts";
import { decodeReceived, hashReceived } from "#services/admission/submission/received.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const CHAIN_ID = 0x534e_5f4d_4149_4en;
const transaction = emptyInvoke(1n, 5n);
const hash = transactionHash(transaction, CHAIN_ID);

test("a transaction without a hash gets one, also in its bytes", () => {
  const received = hashReceived(decodeReceived(encodeUnhashed(transaction)), CHAIN_ID);
  expect(received).toEqual(encodedTransaction({ hash, transaction }));
});

test("an existing hash is not computed again", () => {
  const { bytes } = encodedTransaction({ hash: 77n, transaction });
  expect(hashReceived(decodeReceived(bytes), CHAIN_ID)).toEqual({ hash: 77n, transaction, bytes });
});
