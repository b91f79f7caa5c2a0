import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { L1FaultWorld } from "#test/helpers/l1-fault-world.ts";

const TIMEOUT_MS = 60_000;
/** Number of L1 blocks that are replaced. */
const REPLACED = 5;

describe("an L1 reorg of unconfirmed blocks", () => {
  let world: L1FaultWorld;

  beforeAll(async () => {
    world = await L1FaultWorld.start(8);
    await world.startChain();
  }, TIMEOUT_MS);

  afterAll(() => world.stop());

  test(
    "drops a removed message and executes a moved one once",
    async () => {
      await world.makeBlocks(300);
      const gone = await world.send();
      const moved = await world.send();
      const settled = await world.settleNewest();
      await world.makeBlocks(1200);
      await world.reorg(REPLACED, [moved]);
      // The moved message takes the nonce of the removed one.
      world.sent--;
      await world.mine(9);
      await world.until(async () => (await world.executed()).includes(gone));
      await world.makeBlocks(500);
      expect(await world.executed()).toEqual([0]);
      expect(await world.payloads()).toEqual([moved]);
      expect(await world.isSettled(settled)).toBe(false);
      const again = await world.settleNewest();
      const next = await world.send();
      await world.mine(9);
      await world.until(() => world.isSettled(again));
      await world.until(async () => (await world.executed()).includes(next));
      expect(await world.executed()).toEqual([0, 1]);
      expect(world.log()).not.toContain("ALARM");
      expect(world.log()).not.toContain("L1 was reorganized");
    },
    TIMEOUT_MS,
  );
});

describe("an L1 reorg of confirmed blocks", () => {
  let world: L1FaultWorld;

  beforeAll(async () => {
    world = await L1FaultWorld.start(1);
    await world.startChain();
  }, TIMEOUT_MS);

  afterAll(() => world.stop());

  test(
    "that only moves a message does not execute it again",
    async () => {
      await world.mine(REPLACED);
      const nonce = await world.send();
      await world.mine(2);
      await world.until(async () => (await world.executed()).includes(nonce));
      await world.reorg(REPLACED, [nonce]);
      await world.until(async () => world.log().includes("L1 was reorganized"));
      const next = await world.send();
      await world.mine(2);
      await world.until(async () => (await world.executed()).includes(next));
      expect(await world.executed()).toEqual([0, 1]);
      expect(world.log()).not.toContain("ALARM");
      expect((await fetch(`${world.chain.url}/ready`)).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  test(
    "that removes an executed message and an update stops production and advises the operator to revert",
    async () => {
      await world.mine(REPLACED);
      const nonce = await world.send();
      const settled = await world.settleNewest();
      await world.mine(2);
      await world.until(async () => (await world.executed()).includes(nonce));
      await world.until(() => world.isSettled(settled));
      await world.reorg(REPLACED, []);
      await world.until(async () => (await fetch(`${world.chain.url}/ready`)).status === 503);
      const text = await (await fetch(`${world.chain.url}/ready`)).text();
      expect(text).toContain("revert");
      const newest = await world.blockNumber();
      const made = world.makeBlocks(200).then(
        () => true,
        () => false,
      );
      expect(await made).toBe(false);
      expect(await world.blockNumber()).toBe(newest);
      expect(world.log().match(/ALARM/g)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );
});
