import { expect, test } from "bun:test";
import { Rejections } from "#app/node/explorer/rejections/rejections.ts";
import { watchSubmissions } from "#app/node/explorer/rejections/watch-submissions.ts";
import { THIS_NODE } from "#api/rpc/index.ts";
import { transactionHash } from "#protocol/chain/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";

const CHAIN_ID = 0x534e5f54455354n;
const REFUSED: SubmitAnswer = { kind: "rejected", code: "NON_ACCOUNT", reason: "no account" };
const DECLARATION = { transaction: { senderAddress: 0x7n } } as unknown as Declaration;

/** A submitter that answers every submission with `answer`. */
function world(answer: SubmitAnswer) {
  const rejections = new Rejections(() => 1_000);
  const submit = () => Promise.resolve(answer);
  const submitter = { submit, declare: submit };
  return { rejections, watched: watchSubmissions(submitter, rejections, CHAIN_ID) };
}

test("a refused transaction is noted with its hash, and the client gets the refusal", async () => {
  const { rejections, watched } = world(REFUSED);
  expect(await watched.submit(INVOKE_V3, THIS_NODE)).toBe(REFUSED);
  expect(rejections.list().transactions).toEqual([
    {
      hash: transactionHash(INVOKE_V3, CHAIN_ID),
      sender: INVOKE_V3.senderAddress,
      code: "NON_ACCOUNT",
      reason: "no account",
      wasReceived: false,
      unixMs: 1_000,
    },
  ]);
});

test("a refused transaction that is large is not kept for its hash", async () => {
  const { rejections, watched } = world(REFUSED);
  const calldata = Array.from({ length: 600 }, () => 1n);
  await watched.submit({ ...INVOKE_V3, calldata }, THIS_NODE);
  expect(rejections.list().transactions[0]?.hash).toBeNull();
});

test("a refused declaration is noted without its hash", async () => {
  const { rejections, watched } = world(REFUSED);
  expect(await watched.declare(DECLARATION, THIS_NODE)).toBe(REFUSED);
  expect(rejections.list().transactions).toMatchObject([{ hash: null, sender: 7n }]);
});

test("accepted and undecided submissions are not noted", async () => {
  for (const answer of [
    { kind: "accepted", transactionHash: 1n },
    { kind: "undecided", reason: "the sequencer does not respond" },
  ] as const) {
    const { rejections, watched } = world(answer);
    expect(await watched.submit(INVOKE_V3, THIS_NODE)).toBe(answer);
    expect(rejections.list().transactions).toEqual([]);
  }
});
