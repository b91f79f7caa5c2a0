import { describe, expect, test } from "bun:test";
import { readGatewayTransaction } from "#io/feeder/index.ts";
import { parseJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type DeclareV3,
  decodeTransaction,
  type DeployAccountV3,
  transactionHash,
} from "#protocol/chain/index.ts";
import { forwardingWorld, hashOf, invoke } from "#test/helpers/forwarding-world.ts";
import {
  EVERY_TRANSACTION,
  SAMPLE_CHAIN_ID,
  SIERRA_CLASS,
  SIERRA_HASH,
} from "#test/helpers/sample-chain.ts";

describe("a forwarded transaction", () => {
  test("is accepted with its hash, and is found here until it is in a block", async () => {
    const { forwarding, gateway, included, taken, pass } = forwardingWorld();
    expect(await forwarding.submit(invoke(1))).toEqual({
      kind: "accepted",
      transactionHash: hashOf(1),
    });
    expect(taken).toEqual([hashOf(1)]);
    expect(gateway.bodies).toHaveLength(1);
    expect(await forwarding.find(hashOf(1))).toMatchObject({
      hash: hashOf(1),
      transaction: invoke(1),
      isCandidate: false,
    });
    expect(await forwarding.rejectionOf(hashOf(1))).toBeUndefined();
    // No request is needed for that.
    expect(gateway.asked).toEqual([]);
    included.add(hashOf(1));
    await pass(6_000);
    expect(forwarding.size).toBe(0);
    expect([gateway.asked, gateway.bodies.length]).toEqual([[], 1]);
  });

  test("is not stored if a block has it before the response", async () => {
    const { forwarding, included, taken } = forwardingWorld();
    included.add(hashOf(1));
    expect(await forwarding.submit(invoke(1))).toMatchObject({ kind: "accepted" });
    expect([forwarding.size, taken]).toEqual([0, []]);
  });

  test("is rejected with the gateway's error and reason", async () => {
    const { forwarding, gateway, taken } = forwardingWorld();
    gateway.answer = () => ({
      kind: "refused",
      code: "StarknetErrorCode.INVALID_TRANSACTION_NONCE",
      message: "the account's nonce is 5",
    });
    expect(await forwarding.submit(invoke(1))).toEqual({
      kind: "rejected",
      code: "INVALID_TRANSACTION_NONCE",
      reason: "the account's nonce is 5",
    });
    expect(taken).toEqual([]);
    expect(await forwarding.find(hashOf(1))).toBeUndefined();
  });

  test("is deferred with a retry delay if the gateway is busy", async () => {
    const { forwarding, gateway } = forwardingWorld();
    gateway.answer = () => ({
      kind: "refused",
      code: "StarknetErrorCode.RATE_LIMITED",
      message: "later",
      retryAfterSeconds: 9,
    });
    expect(await forwarding.submit(invoke(1))).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "later",
      retryAfterSeconds: 9,
    });
  });

  test("is accepted if another gateway has it after a lost response", async () => {
    const { forwarding, gateway, taken } = forwardingWorld();
    const duplicate = {
      kind: "refused",
      code: "StarknetErrorCode.DUPLICATED_TRANSACTION",
      message: "here already",
    } as const;
    gateway.answer = () => ({ ...duplicate, wasSentBefore: true });
    expect(await forwarding.submit(invoke(1))).toEqual({
      kind: "accepted",
      transactionHash: hashOf(1),
    });
    expect([taken, forwarding.size]).toEqual([[hashOf(1)], 1]);
    // It was not sent from here before.
    gateway.answer = () => duplicate;
    expect(await forwarding.submit(invoke(2))).toMatchObject({ code: "DUPLICATE_TX" });
    gateway.answer = () => ({
      ...duplicate,
      code: "StarknetErrorCode.INVALID_TRANSACTION_NONCE",
      wasSentBefore: true,
    });
    expect(await forwarding.submit(invoke(3))).toMatchObject({ kind: "rejected" });
    expect(forwarding.size).toBe(1);
  });

  test("is not reported as accepted without a response", async () => {
    const { forwarding, gateway } = forwardingWorld();
    gateway.answer = () => ({ kind: "unreachable", message: "nobody there" });
    const lost = { kind: "undecided", reason: "nobody there" } as const;
    expect(await forwarding.submit(invoke(1))).toEqual({ ...lost, lost: "unanswered" });
    gateway.answer = () => ({ kind: "unreachable", message: "nobody there", isUnsent: true });
    expect(await forwarding.submit(invoke(1))).toEqual({ ...lost, lost: "unsent" });
    expect(forwarding.size).toBe(0);
  });

  test("is not reported as accepted if the gateway returns another hash", async () => {
    const { forwarding, gateway } = forwardingWorld();
    gateway.answer = () => ({ kind: "taken", transactionHash: hashOf(2) });
    const answer = await forwarding.submit(invoke(1));
    expect(answer).not.toHaveProperty("lost");
    expect(answer).toMatchObject({
      kind: "undecided",
      reason: expect.stringMatching(/the hash of another transaction/),
    });
    expect(forwarding.size).toBe(0);
  });

  test("returns the locally computed account address, not the gateway's", async () => {
    const { forwarding, gateway } = forwardingWorld();
    const deployment = EVERY_TRANSACTION.find(
      (each): each is DeployAccountV3 => each.type === "DEPLOY_ACCOUNT" && each.version === 3,
    ) as DeployAccountV3;
    const hash = transactionHash(deployment, SAMPLE_CHAIN_ID);
    gateway.answer = () => ({ kind: "taken", transactionHash: hash, contractAddress: 1n });
    expect(await forwarding.submit(deployment)).toEqual({
      kind: "accepted",
      transactionHash: hash,
      contractAddress: deployment.contractAddress,
    });
  });
});

test("is listed in order while no accepted block has it", async () => {
  const { forwarding, included, building, pass } = forwardingWorld();
  for (const nonce of [3, 1, 2]) await forwarding.submit(invoke(nonce));
  included.add(hashOf(1));
  building.add(hashOf(2));
  const told = forwarding.forwardedSubmissions();
  expect(told.map(({ hash }) => hash)).toEqual([hashOf(3), hashOf(2)]);
  const transactions = told.map(({ bytes }) => decodeTransaction(bytes).transaction);
  expect(transactions).toEqual([invoke(3), invoke(2)]);
  forwarding.stop(true);
  expect(forwarding.forwardedSubmissions()).toHaveLength(2);
  await pass(300_000);
  expect(forwarding.forwardedSubmissions()).toEqual([]);
});

describe("a forwarded declaration", () => {
  const { classHash: _, ...transaction } = EVERY_TRANSACTION.find(
    (each): each is DeclareV3 => each.type === "DECLARE" && each.version === 3,
  ) as DeclareV3;
  const declaration = { transaction, contractClass: SIERRA_CLASS };
  const hash = transactionHash({ ...transaction, classHash: SIERRA_HASH }, SAMPLE_CHAIN_ID);

  test("is sent and resent with its class unchanged", async () => {
    const { forwarding, gateway, pass } = forwardingWorld();
    gateway.answer = () => ({ kind: "taken", transactionHash: hash, classHash: SIERRA_HASH });
    expect(await forwarding.declare(declaration)).toEqual({
      kind: "accepted",
      transactionHash: hash,
      classHash: SIERRA_HASH,
    });
    expect(await forwarding.find(hash)).toMatchObject({
      transaction: { ...transaction, classHash: SIERRA_HASH },
    });
    await pass(6_000);
    expect(gateway.bodies).toHaveLength(2);
    expect(gateway.bodies[1]).toBe(gateway.bodies[0] as string);
    expect(gateway.bodies[0]).toContain('"sierra_program"');
  });

  test("is serialized once for all attempts", async () => {
    const { forwarding, gateway } = forwardingWorld();
    gateway.answer = () => ({ kind: "unreachable", message: "nobody there", isUnsent: true });
    let reads = 0;
    const counted = {
      transaction,
      get contractClass() {
        reads++;
        return SIERRA_CLASS;
      },
    };
    expect(await forwarding.declare(counted)).toHaveProperty("lost", "unsent");
    const before = reads;
    expect(await forwarding.declare(counted)).toHaveProperty("lost", "unsent");
    expect([gateway.bodies.length, reads]).toEqual([2, before]);
  });

  test("is not reported as accepted if hash and class hash do not match", async () => {
    const { forwarding, gateway } = forwardingWorld();
    gateway.answer = () => ({ kind: "taken", transactionHash: hash, classHash: 7n });
    expect(await forwarding.declare(declaration)).toMatchObject({ kind: "undecided" });
    gateway.answer = () => ({ kind: "taken", transactionHash: hash });
    expect(await forwarding.declare(declaration)).toMatchObject({ kind: "undecided" });
    expect(forwarding.size).toBe(0);
  });

  test("is rejected locally without its class", async () => {
    const { forwarding, gateway } = forwardingWorld();
    const bare = { ...transaction, classHash: SIERRA_HASH };
    expect(await forwarding.submit(bare)).toMatchObject({ kind: "rejected" });
    expect(gateway.bodies).toEqual([]);
  });
});

test("forwarded transactions of every kind and version can be parsed by a gateway", async () => {
  let read = 0;
  for (const each of EVERY_TRANSACTION) {
    if ((each.type !== "INVOKE" && each.type !== "DEPLOY_ACCOUNT") || each.version === 0) continue;
    const transaction = "proofFacts" in each ? { ...each, proofFacts: [] } : each;
    const { forwarding, gateway } = forwardingWorld();
    await forwarding.submit(transaction);
    const sent = readGatewayTransaction(parseJson(gateway.bodies[0] ?? ""));
    // An account's address follows from its other fields; those of the sample are made up.
    const known =
      each.type === "DEPLOY_ACCOUNT" ? { contractAddress: expect.anything() as Felt } : {};
    expect(sent).toEqual({ kind: "transaction", transaction: { ...transaction, ...known } });
    read++;
  }
  expect(read).toBe(4);
});
