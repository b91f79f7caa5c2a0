import { expect, test } from "bun:test";
import { endRequests } from "#app/node/devnet/renewal-of.ts";

test("requests in flight end after the revert that runs, and before the threads stop", async () => {
  const steps: string[] = [];
  const step =
    (name: string) =>
    async (reason?: string): Promise<void> => {
      steps.push(reason === undefined ? name : `${name}: ${reason}`);
      await Bun.sleep(0);
      steps.push(`${name} done`);
    };
  const note = (name: string) => (reason?: string) => {
    steps.push(reason === undefined ? name : `${name}: ${reason}`);
  };
  const reason = "the fork was moved";
  const parts = {
    lent: { takeBack: note("hold new requests") },
    reverts: { chain: { end: step("end reverts") } },
    queryPool: { hold: step("hold queries"), stop: note("stop queries") },
    fork: { stop: note("stop fetches") },
    roles: { services: { close: note("close the mempool") } },
  };
  await endRequests(parts, reason);
  expect(steps).toEqual([
    "hold new requests",
    `end reverts: ${reason}`,
    "end reverts done",
    "hold queries",
    "hold queries done",
    `stop queries: ${reason}`,
    `stop fetches: ${reason}`,
    "close the mempool",
  ]);
});
