import { expect, test } from "bun:test";
import type { SubmitOutcome } from "#services/admission/index.ts";
import { notifyReceived } from "#app/node/query/rpc/notify-received.ts";
import { CLIENT, OTHER_CLIENT } from "#test/helpers/clients.ts";
import { INVOKE_V3, SIERRA_CLASS } from "#test/helpers/sample-chain.ts";

function submitting(outcome: SubmitOutcome) {
  const told: unknown[] = [];
  const submitter = notifyReceived(
    { submit: () => Promise.resolve(outcome), declare: () => Promise.resolve(outcome) },
    { received: (transaction) => void told.push(transaction) },
  );
  return { submitter, told };
}

const { senderAddress, nonce, signature, resourceBounds, ...v3 } = INVOKE_V3;
const DECLARE = {
  type: "DECLARE",
  version: 3,
  senderAddress,
  nonce,
  signature,
  resourceBounds,
  tip: v3.tip,
  paymasterData: v3.paymasterData,
  nonceDataAvailabilityMode: v3.nonceDataAvailabilityMode,
  feeDataAvailabilityMode: v3.feeDataAvailabilityMode,
  compiledClassHash: 5n,
  accountDeploymentData: [],
} as const;

test("announces an accepted transaction with its hash", async () => {
  const outcome = { kind: "accepted", transactionHash: 7n } as const;
  const { submitter, told } = submitting(outcome);
  expect(await submitter.submit(INVOKE_V3, CLIENT)).toBe(outcome);
  expect(told).toEqual([{ hash: 7n, transaction: INVOKE_V3 }]);
});

test("announces a declaration with its class hash", async () => {
  const { submitter, told } = submitting({
    kind: "accepted",
    transactionHash: 7n,
    classHash: 8n,
  });
  await submitter.declare({ transaction: DECLARE, contractClass: SIERRA_CLASS }, CLIENT);
  expect(told).toEqual([{ hash: 7n, transaction: { ...DECLARE, classHash: 8n } }]);
});

test("does not announce rejected submissions", async () => {
  const { submitter, told } = submitting({ kind: "rejected", code: "DUPLICATE_TX", reason: "" });
  await submitter.submit(INVOKE_V3, CLIENT);
  await submitter.declare({ transaction: DECLARE, contractClass: SIERRA_CLASS }, CLIENT);
  expect(told).toEqual([]);
});

test("passes submissions on with their client", async () => {
  const clients: unknown[] = [];
  const take = (_: unknown, client: unknown) => {
    clients.push(client);
    return Promise.resolve({ kind: "accepted", transactionHash: 7n } as const);
  };
  const submitter = notifyReceived({ submit: take, declare: take }, { received: () => undefined });
  await submitter.submit(INVOKE_V3, CLIENT);
  await submitter.declare({ transaction: DECLARE, contractClass: SIERRA_CLASS }, OTHER_CLIENT);
  expect(clients[0]).toBe(CLIENT);
  expect(clients[1]).toBe(OTHER_CLIENT);
});
