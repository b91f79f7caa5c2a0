import { expect, test } from "bun:test";
import { type constants, hash } from "starknet";
import { encodePacked, keccak256 } from "viem";
import { transactionOf, waitingMessage } from "#services/l1-watch/waiting-message.ts";
import { decodeTransaction } from "#protocol/chain/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import { messageLog, RECIPIENT, SELECTOR } from "#test/helpers/l1-message-model.ts";

const LOG = { ...messageLog(7n, [1n, 2n], { number: 9, hash: 99n }), feeWei: 5n };
const CHAIN_ID = 0x534e5f4d41494en;

test("uses the transaction and message hash that clients compute", () => {
  const transaction = transactionOf(LOG, CHAIN_ID);
  if (transaction.kind === "unusable") throw new TypeError(transaction.what);
  const message = waitingMessage(LOG, transaction);
  const expected = hash.calculateL2MessageTxHash(
    hexFromFelt(LOG.fromAddress),
    hexFromFelt(RECIPIENT),
    hexFromFelt(SELECTOR),
    ["0x1", "0x2"],
    hexFromFelt(CHAIN_ID) as constants.StarknetChainId,
    "0x7",
  );
  expect(hexFromFelt(message.transactionHash)).toBe(expected);
  const words = [LOG.fromAddress, RECIPIENT, 7n, SELECTOR, 2n, 1n, 2n];
  const packed = encodePacked(
    words.map(() => "uint256"),
    words,
  );
  expect(message.messageHash).toBe(BigInt(keccak256(packed)));
  expect(decodeTransaction(message.bytes).transaction).toMatchObject({ paidFeeOnL1: 5n });
  expect(message).toMatchObject({ nonce: 7n, l1BlockNumber: 9 });
});

test("names values that no transaction can have", () => {
  const cases = [
    [{ toAddress: FIELD_PRIME }, "toAddress is not a felt"],
    [{ selector: FIELD_PRIME }, "selector is not a felt"],
    [{ nonce: FIELD_PRIME }, "nonce is not a felt"],
    [{ payload: [0n, FIELD_PRIME] }, "payload[1] is not a felt"],
    [{ feeWei: 2n ** 128n }, "the fee has more than 128 bits"],
  ] as const;
  for (const [change, what] of cases) {
    expect(transactionOf({ ...LOG, ...change }, CHAIN_ID)).toEqual({ kind: "unusable", what });
  }
  const largest = { toAddress: FIELD_PRIME - 1n, feeWei: 2n ** 128n - 1n };
  expect(transactionOf({ ...LOG, ...largest }, CHAIN_ID).kind).toBe("usable");
});
