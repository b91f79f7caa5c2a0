import { expect, test } from "bun:test";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { NO_L1_MESSAGES } from "#api/rpc/index.ts";
import { mainRpcContext, type ServedRole } from "#app/node/query/rpc/rpc-context.ts";
import type { MainDevnet } from "#app/node/query/rpc/main-devnet.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { sentDeclaration } from "#test/helpers/sent-declaration.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { NOTHING_LISTED } from "#services/admission/index.ts";

const BLOCK = { number: 1, hash: 2n };
const STATUS = { startingBlock: BLOCK, currentBlock: BLOCK, highestBlock: BLOCK };

const roleOf = (submit: ServedRole["submit"]): ServedRole => ({
  setup: { config: { chainId: "TEST" }, devnet: null, follow: null } as NodeSetup,
  submit,
  mempool: {
    find: () => Promise.resolve(undefined),
    rejectionOf: (hash) => Promise.resolve(`rejected ${hash}`),
  },
  waiting: (limit) => Promise.resolve({ ...NOTHING_LISTED, waiting: limit }),
  syncStatus: () => STATUS,
});

const TOLD = { l1Messages: NO_L1_MESSAGES, version: "1.2.3", fork: null };

test("submissions go to the role, which also answers status and mempool requests", async () => {
  const accepted = { kind: "accepted", transactionHash: 1n } as const;
  const given: (readonly [way: string, what: unknown])[] = [];
  const way = (name: string) => (what: unknown) => {
    given.push([name, what]);
    return Promise.resolve(accepted);
  };
  const role = roleOf({ submit: way("submit"), declare: way("declare") });
  const view = ChainView.ofStored(
    numberedChain(3, () => nonceState()),
    new FakeTimer(),
  );
  const context = mainRpcContext(view, role, TOLD, undefined);
  const [invoke, declaration] = [emptyInvoke(1n, 0n), sentDeclaration(7n)];
  expect(await context.submit.submit(invoke, CLIENT)).toEqual(accepted);
  expect(await context.submit.declare(declaration, CLIENT)).toEqual(accepted);
  expect(given).toEqual([
    ["submit", invoke],
    ["declare", declaration],
  ]);
  expect(context.syncStatus()).toEqual(STATUS);
  expect(await context.mempool.rejectionOf(5n)).toBe("rejected 5");
  expect((await context.waiting(7)).waiting).toBe(7);
});

test.each([
  [{ devnet: null, follow: null }, "sequencer"],
  [{ devnet: {}, follow: null }, "development"],
  [{ devnet: null, follow: {} }, "full"],
] as const)("a node set up as %p is of kind %s", (parts, kind) => {
  const take = () => Promise.resolve({ kind: "accepted", transactionHash: 7n } as const);
  const role = roleOf({ submit: take, declare: take });
  const view = ChainView.ofStored(
    numberedChain(3, () => nonceState()),
    new FakeTimer(),
  );
  const setup = { ...role.setup, ...parts } as unknown as NodeSetup;
  const { node } = mainRpcContext(view, { ...role, setup }, TOLD, undefined);
  expect(node).toEqual({ version: "1.2.3", kind });
});

test("development features observe submissions", async () => {
  const accepted = { kind: "accepted", transactionHash: 7n } as const;
  const take = () => Promise.resolve(accepted);
  const role = roleOf({ submit: take, declare: take });
  const view = ChainView.ofStored(
    numberedChain(3, () => nonceState()),
    new FakeTimer(),
  );
  const seen: unknown[] = [];
  const access = {} as MainDevnet["access"];
  const context = mainRpcContext(view, role, TOLD, {
    access,
    answering: (submit) => submit,
    watch: (submit) => ({
      ...submit,
      async submit(transaction) {
        seen.push(transaction);
        return submit.submit(transaction, CLIENT);
      },
    }),
  });
  const invoke = emptyInvoke(1n, 0n);
  expect(await context.submit.submit(invoke, CLIENT)).toEqual(accepted);
  expect(seen).toEqual([invoke]);
  expect("devnet" in context && context.devnet).toBe(access);
});

test("a message that only L1 has is received, but the mempool takes precedence", async () => {
  const take = () => Promise.resolve({ kind: "accepted", transactionHash: 7n } as const);
  const known = { hash: 2n, transaction: undefined, isCandidate: true };
  const role: ServedRole = {
    ...roleOf({ submit: take, declare: take }),
    mempool: {
      find: (hash) => Promise.resolve(hash === 2n ? known : undefined),
      rejectionOf: () => Promise.resolve(undefined),
    },
  };
  const view = ChainView.ofStored(
    numberedChain(3, () => nonceState()),
    new FakeTimer(),
  );
  const l1Messages = { ofL1Transaction: () => [], isWaiting: (hash: bigint) => hash < 3n };
  const { mempool } = mainRpcContext(view, role, { ...TOLD, l1Messages }, undefined);
  expect(await mempool.find(1n)).toEqual({ hash: 1n, transaction: undefined, isCandidate: false });
  expect(await mempool.find(2n)).toBe(known);
  expect(await mempool.find(3n)).toBeUndefined();
});
