import { expect, test } from "bun:test";
import { markImpersonated } from "#app/node/query/impersonated.ts";
import { emptyDeclare, emptyDeployAccount, emptyInvoke } from "#test/helpers/mempool-world.ts";
import { messageToHandler } from "#test/helpers/trace-world.ts";

test("marks transactions of impersonated accounts, but never messages from L1", () => {
  const account = 7n;
  const transactions = [
    emptyInvoke(account, 0n),
    emptyDeclare(account, 0n),
    emptyDeployAccount(account),
    emptyInvoke(8n, 0n),
  ].map((transaction) => ({ transaction: { hash: 1n, transaction }, onlyQuery: true }));
  const message = { transaction: messageToHandler(0n) };
  const marked = markImpersonated([...transactions, message], (address) => address !== 8n);
  expect(marked.map(({ isImpersonated }) => isImpersonated ?? false)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(marked[0]).toEqual({ ...transactions[0], isImpersonated: true } as never);
  expect(marked.slice(3)).toEqual([...transactions.slice(3), message]);
});
