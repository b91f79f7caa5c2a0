import { expect, test } from "bun:test";
import { stopRequests } from "#app/node/query/rpc/serve.ts";

test("a stop settles queued requests, and cancels running ones after a grace period", async () => {
  const order: string[] = [];
  const noted = (name: string) => () => void order.push(name);
  const server = (name: string) => ({
    stop(graceMs: number, onGraceOver: () => void) {
      order.push(`${name} ${graceMs}`);
      onGraceOver();
      return Promise.resolve();
    },
  });
  await stopRequests(
    {
      queryPool: { stop: noted("pool"), cancel: noted("cancel") },
      role: { stop: noted("role") },
    },
    [server("one"), server("other")],
  );
  expect(order).toEqual(["pool", "role", "one 800", "cancel", "other 800", "cancel"]);
});
