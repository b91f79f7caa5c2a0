import { expect, test } from "bun:test";
import { stopRequests } from "#app/node/listeners/serve.ts";

test("a stop answers what waits, then gives what runs a short time before it is cancelled", async () => {
  const order: string[] = [];
  const noted = (name: string) => () => void order.push(name);
  await stopRequests(
    {
      queryPool: { stop: noted("pool"), cancel: noted("cancel") },
      role: { stop: noted("role") },
    },
    {
      stop(graceMs, onGraceOver) {
        order.push(`server ${graceMs}`);
        onGraceOver();
        return Promise.resolve();
      },
    },
  );
  expect(order).toEqual(["pool", "role", "server 800", "cancel"]);
});
