import { expect, test } from "bun:test";
import { Caller } from "#api/rpc/index.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { holdSubmissions } from "#app/node/replication/held-submissions.ts";
import type { ServedRole } from "#app/node/query/rpc/rpc-context.ts";
import { chainIdFelt, type NodeSetup } from "#app/node/setup/setup.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { transactionHash } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import type { PreparedDeclaration } from "#services/admission/index.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import { CLIENT, OTHER_CLIENT } from "#test/helpers/clients.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyDeployAccount, emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";
import { NOTHING_LISTED } from "#services/admission/index.ts";

const UNSENT: SubmitAnswer = { kind: "undecided", reason: "nobody leads", lost: "unsent" };
const DUPLICATE: SubmitAnswer = { kind: "rejected", code: "DUPLICATE_TX", reason: "it has it" };
const { config } = await loadChainConfig({ preset: "devnet", role: "full" });

/** A role without a leader, and its submissions. */
function heldWorld(replication: { readonly takeoverHoldMs: number } | null) {
  const timer = new FakeTimer();
  const metrics = createNodeMetrics();
  const world = {
    answer: UNSENT,
    clients: [] as unknown[],
    /** Hash of a transaction that is included in a block. */
    included: undefined as bigint | undefined,
    prepared: undefined as PreparedDeclaration | undefined,
    status: false as const,
    setup: { config } as NodeSetup,
  };
  const take = (_: unknown, client: unknown): Promise<SubmitAnswer> => {
    world.clients.push(client);
    return Promise.resolve(world.answer);
  };
  const role: ServedRole = {
    get setup() {
      return world.setup;
    },
    submit: { submit: take, declare: take },
    mempool: { find: () => Promise.resolve(undefined), rejectionOf: () => Promise.resolve("no") },
    waiting: () => Promise.resolve(NOTHING_LISTED),
    syncStatus: () => world.status,
  };
  const locate = (hash: bigint) =>
    hash === world.included ? { blockNumber: 1, index: 0 } : undefined;
  const view = ChainView.ofStored({ ...numberedChain(3, () => nonceState()), locate }, timer);
  const queryPool = {
    prepare: (_: Uint8Array, only?: "names") =>
      Promise.resolve(only === "names" ? world.prepared : undefined),
  };
  const held = holdSubmissions(
    { replication },
    { setup: { config }, storage: { view }, queryPool, roles: role },
    { metrics, timer },
  );
  return {
    world,
    role,
    held,
    timer,
    count: async () => (await metrics.replication.heldSubmissions.get()).values[0]?.value,
  };
}

const settled = (): Promise<void> => Bun.sleep(0);

test("does not hold submissions to a sequencer with an unshared chain", () => {
  const { role, held } = heldWorld(null);
  expect(held.role).toBe(role);
});

test("accepts a transaction that the next leader already has", async () => {
  const { world, held, timer, count } = heldWorld({ takeoverHoldMs: 15_000 });
  const [invoke, deployment] = [emptyInvoke(1n, 0n), emptyDeployAccount(2n)];
  const sent = [
    held.role.submit.submit(invoke, CLIENT),
    held.role.submit.submit(deployment, CLIENT),
  ];
  await settled();
  expect(await count()).toBe(2);
  world.answer = DUPLICATE;
  timer.advance(250);
  const hashOf = (each: typeof invoke | typeof deployment): bigint =>
    transactionHash(each, chainIdFelt(config));
  expect(await Promise.all(sent)).toEqual([
    { kind: "accepted", transactionHash: hashOf(invoke) },
    { kind: "accepted", transactionHash: hashOf(deployment), contractAddress: 2n },
  ]);
  expect(await count()).toBe(0);
});

test("passes a submission on with its client", async () => {
  const { world, held } = heldWorld({ takeoverHoldMs: 15_000 });
  world.answer = DUPLICATE;
  await held.role.submit.submit(emptyInvoke(1n, 0n), CLIENT);
  await held.role.submit.declare(sentDeclaration(7n), OTHER_CLIENT);
  expect(world.clients[0]).toBe(CLIENT);
  expect(world.clients[1]).toBe(OTHER_CLIENT);
});

test("holds a declaration and resolves it with the next leader's response", async () => {
  const { world, held, timer } = heldWorld({ takeoverHoldMs: 15_000 });
  const sent = held.role.submit.declare(sentDeclaration(7n), CLIENT);
  await settled();
  world.answer = { kind: "accepted", transactionHash: 1n, classHash: 2n };
  timer.advance(250);
  expect(await sent).toEqual(world.answer);
});

test("accepts a declaration that the next leader already has, with its class hash", async () => {
  const declaration = sentDeclaration(7n);
  const prepared = preparedOf(declaration);
  const { hash, transaction } = prepared.hashed;
  const received = {
    kind: "accepted",
    transactionHash: hash,
    classHash: transaction.classHash,
  } as const;
  const nonce = { kind: "rejected", code: "INVALID_TRANSACTION_NONCE", reason: "it is 1" } as const;
  const refusal = { kind: "rejected", code: "VALIDATION_FAILURE", reason: "no" } as const;
  for (const { answer, named = prepared, included, expected } of [
    { answer: DUPLICATE, expected: received },
    { answer: nonce, included: hash, expected: received },
    { answer: nonce, expected: nonce },
    { answer: DUPLICATE, named: refusal, expected: DUPLICATE },
  ]) {
    const { world, held, timer } = heldWorld({ takeoverHoldMs: 15_000 });
    const sent = held.role.submit.declare(declaration, CLIENT);
    await settled();
    Object.assign(world, { answer, included, prepared: named });
    timer.advance(250);
    expect(await sent).toEqual(expected);
  }
});

test("ends a submission at the deadline, and when its client disconnects", async () => {
  const { held, timer, count } = heldWorld({ takeoverHoldMs: 3_000 });
  const client = new Caller("192.0.2.3");
  const sent = held.role.submit.submit(emptyInvoke(1n, 0n), client);
  const patient = held.role.submit.declare(sentDeclaration(7n), CLIENT);
  await settled();
  expect(await count()).toBe(2);
  client.leave();
  await sent;
  expect(await count()).toBe(1);
  for (let passedMs = 0; passedMs < 3_000; passedMs += 250) {
    timer.advance(250);
    await settled();
  }
  expect(await patient).toMatchObject({ kind: "rejected", retryAfterSeconds: 2 });
});

test("settles held submissions when the node stops", async () => {
  const { held } = heldWorld({ takeoverHoldMs: 15_000 });
  const sent = held.role.submit.submit(emptyInvoke(1n, 0n), CLIENT);
  await settled();
  held.stop();
  expect(await sent).toMatchObject({ reason: expect.stringContaining("stopping") });
});

test("delegates everything else to the current role", async () => {
  const { world, held } = heldWorld({ takeoverHoldMs: 15_000 });
  world.setup = { config, follow: null } as NodeSetup;
  expect(held.role.setup).toBe(world.setup);
  expect(held.role.syncStatus()).toBe(false);
  expect(await held.role.mempool.rejectionOf(1n)).toBe("no");
});
