import { expect, test } from "bun:test";
import type { TransactionSubmitter } from "#api/rpc/index.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { CLIENT, OTHER_CLIENT } from "#test/helpers/clients.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { sentDeclaration } from "#test/helpers/sent-declaration.ts";
import { startedRole } from "#test/helpers/started-role.ts";
import { standInServices } from "#test/helpers/stand-in-services.ts";
import { changeTo, STAND_IN_SETUP, standInThreads } from "#test/helpers/stand-in-threads.ts";

type Outcome = Awaited<ReturnType<TransactionSubmitter["submit"]>>;

const INVOKE = emptyInvoke(1n, 0n);

const textOf = (outcome: Outcome): string =>
  outcome.kind === "accepted" ? `taken by ${outcome.transactionHash}` : (outcome.reason ?? "");

test.each([
  [
    "is retried in the new role if it was undecided",
    { kind: "undecided", reason: "no answer" },
    "taken by 9",
  ],
  [
    "is retried in the new role if it was deferred",
    { kind: "rejected", code: "UNEXPECTED_ERROR", reason: "later", retryAfterSeconds: 2 },
    "taken by 9",
  ],
  [
    "stays rejected if it was rejected",
    { kind: "rejected", code: "INVALID_TRANSACTION_NONCE", reason: "5" },
    "5",
  ],
] as const)("a submission to a role that ends %s", async (_, answer, told) => {
  const closed = Promise.withResolvers<void>();
  const { threads } = standInThreads(FULL_NODE.threads, []);
  const answers = {
    [FULL_NODE.name]: () => closed.promise.then((): Outcome => answer),
    [SEQUENCER.name]: () => Promise.resolve<Outcome>({ kind: "accepted", transactionHash: 9n }),
  };
  const role = startedRole(FULL_NODE, STAND_IN_SETUP, {
    threads,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    stall: () => undefined,
    open({ name }) {
      const take = answers[name] ?? answers[SEQUENCER.name];
      const submit = { submit: take, declare: take } as TransactionSubmitter;
      return standInServices({ submit, close: () => closed.resolve() });
    },
  });
  await threads.started;
  const sent = [
    role.submit.submit(INVOKE, CLIENT),
    role.submit.declare(sentDeclaration(7n), CLIENT),
  ] as const;
  await Promise.resolve();
  await role.change(changeTo(SEQUENCER));
  expect((await Promise.all(sent)).map(textOf)).toEqual([told, told]);
});

test("an undecided submission stays undecided without a role change", async () => {
  const { threads } = standInThreads(FULL_NODE.threads, []);
  let asked = 0;
  const role = startedRole(FULL_NODE, STAND_IN_SETUP, {
    threads,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    stall: () => undefined,
    open() {
      const take = (): Promise<Outcome> => {
        asked++;
        return Promise.resolve({ kind: "undecided", reason: "no answer" });
      };
      return standInServices({ submit: { submit: take, declare: take } });
    },
  });
  expect([textOf(await role.submit.submit(INVOKE, CLIENT)), asked]).toEqual(["no answer", 1]);
});

test("a submission reaches the role with its client", async () => {
  const { threads } = standInThreads(FULL_NODE.threads, []);
  const clients: unknown[] = [];
  const role = startedRole(FULL_NODE, STAND_IN_SETUP, {
    threads,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    stall: () => undefined,
    open() {
      const take = (_: unknown, client: unknown): Promise<Outcome> => {
        clients.push(client);
        return Promise.resolve({ kind: "accepted", transactionHash: 9n });
      };
      return standInServices({ submit: { submit: take, declare: take } });
    },
  });
  await role.submit.submit(INVOKE, CLIENT);
  await role.submit.declare(sentDeclaration(7n), OTHER_CLIENT);
  expect(clients[0]).toBe(CLIENT);
  expect(clients[1]).toBe(OTHER_CLIENT);
});
