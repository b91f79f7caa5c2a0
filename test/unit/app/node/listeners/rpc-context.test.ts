import { expect, test } from "bun:test";
import { PublishedChain } from "#app/node/chain/published-chain.ts";
import type { Clients } from "#app/node/clients/clients.ts";
import { mainRpcContext } from "#app/node/listeners/rpc-context.ts";
import type { MainDevnet } from "#app/node/devnet/main-devnet.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { PendingFeed } from "#services/admission/index.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { sentDeclaration } from "#test/helpers/sent-declaration.ts";

test("transactions go to admission, declarations to the service that compiles them", async () => {
  const accepted = { kind: "accepted", transactionHash: 1n } as const;
  const given: (readonly [way: string, what: unknown])[] = [];
  const way = (name: string) => (what: unknown) => {
    given.push([name, what]);
    return Promise.resolve(accepted);
  };
  const clients = {
    admission: { submit: way("admission") },
    declares: { declare: way("declares") },
  } as unknown as Clients;
  const chain = new PublishedChain(numberedChain(3, () => nonceState()));
  const setup = { config: { chainId: "TEST" } } as NodeSetup;
  const context = mainRpcContext(setup, chain, new PendingFeed(chain), clients);
  const [invoke, declaration] = [emptyInvoke(1n, 0n), sentDeclaration(7n)];
  expect(await context.submit?.submit(invoke)).toEqual(accepted);
  expect(await context.submit?.declare(declaration)).toEqual(accepted);
  expect(given).toEqual([
    ["admission", invoke],
    ["declares", declaration],
  ]);
});

test("the comforts of a development chain see what is submitted", async () => {
  const accepted = { kind: "accepted", transactionHash: 7n } as const;
  const clients = {
    admission: { submit: () => Promise.resolve(accepted) },
    declares: { declare: () => Promise.resolve(accepted) },
  } as unknown as Clients;
  const chain = new PublishedChain(numberedChain(3, () => nonceState()));
  const setup = { config: { chainId: "TEST" } } as NodeSetup;
  const seen: unknown[] = [];
  const access = {} as MainDevnet["access"];
  const context = mainRpcContext(setup, chain, new PendingFeed(chain), clients, {
    access,
    answering: (submit) => submit,
    watch: (submit) => ({
      ...submit,
      async submit(transaction) {
        seen.push(transaction);
        return submit.submit(transaction);
      },
    }),
  });
  const invoke = emptyInvoke(1n, 0n);
  expect(await context.submit?.submit(invoke)).toEqual(accepted);
  expect(seen).toEqual([invoke]);
  expect(context.devnet).toBe(access);
});
