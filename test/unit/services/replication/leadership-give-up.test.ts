import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import {
  FakeSequencer,
  LeadershipWorld,
  PUBLISH_MS,
  TAKEOVER_MS,
} from "#test/helpers/leadership-world.ts";

/** A leader `a` in epoch 1, and standbys that follow it. */
async function led(...standbys: string[]) {
  const world = new LeadershipWorld();
  world.publish(0);
  const a = new FakeSequencer("a", false, world).lead(1, true);
  await world.pass(1_000);
  const followers = standbys.map((name) => new FakeSequencer(name, true, world).follow());
  await world.pass(2_000);
  return { world, a, followers };
}

const rising = (epochs: readonly number[]): boolean =>
  epochs.every((epoch, i) => epoch >= (epochs[i - 1] ?? 0));

describe("a sequencer that gives up leadership", () => {
  test("lets a standby take over without waiting for silence, and fails", async () => {
    const { world, a, followers } = await led("b");
    const [b] = followers;
    await a.leadership.giveUp("the disk hangs");
    expect(a.failures).toEqual([
      new NodeError("NODE_GAVE_UP", "leadership is given up: the disk hangs"),
    ]);
    expect(a.events).toContainEqual({ kind: "givesUp", epoch: 1, reason: "the disk hangs" });
    expect(a.leadership.state).toBe("deposed");
    a.kill();
    await world.pass(TAKEOVER_MS / 2);
    expect(b?.leadership.state).toBe("leading");
    expect(rising(world.epochs)).toBe(true);
  });

  test("fails once, even if the store is unreachable", async () => {
    const { world, a, followers } = await led("b");
    a.isCut = true;
    const given = [a.leadership.giveUp("the disk hangs"), a.leadership.giveUp("the disk hangs")];
    await world.pass(1_500);
    await Promise.all(given);
    expect(a.failures).toHaveLength(1);
    a.kill();
    await world.pass(2 * TAKEOVER_MS);
    expect(followers[0]?.leadership.state).toBe("leading");
  });

  test("can still publish a block, which the standby builds on or outruns", async () => {
    const { world, a, followers } = await led("b");
    await a.leadership.giveUp("the disk hangs");
    const published = world.epochs.length;
    await world.pass(2 * TAKEOVER_MS);
    expect(world.epochs.length).toBeGreaterThan(published);
    a.kill();
    await world.pass(TAKEOVER_MS);
    expect(followers[0]?.leadership.state).toBe("leading");
    expect(rising(world.epochs)).toBe(true);
    expect(a.leadership.state).toBe("deposed");
  });

  test("fails also before its first block", async () => {
    const world = new LeadershipWorld();
    world.publish(0);
    const a = new FakeSequencer("a", false, world);
    a.isCut = true;
    a.lead(1, true);
    await a.leadership.giveUp("the disk hangs");
    expect(a.failures).toHaveLength(1);
  });

  test("does nothing while it follows", async () => {
    const { a, followers } = await led("b");
    await followers[0]?.leadership.giveUp("the disk hangs");
    expect(followers[0]?.failures).toEqual([]);
    expect(followers[0]?.leadership.state).toBe("following");
    expect(a.leadership.state).toBe("leading");
  });
});

describe("a leader whose blocks the store rejects", () => {
  test("gives up leadership while heartbeats succeed, and a standby takes over", async () => {
    const { world, a, followers } = await led("b");
    a.isGateClosed = true;
    await world.pass(PUBLISH_MS - 1_000);
    expect(a.failures).toEqual([]);
    await world.pass(3_000);
    expect(String(a.failures)).toContain("a block could not be published for 10 s: status 503");
    a.kill();
    await world.pass(TAKEOVER_MS / 2);
    expect(followers[0]?.leadership.state).toBe("leading");
  });

  test("waits for an unreachable store, and continues with it", async () => {
    const { world, a } = await led("b");
    a.isCut = true;
    await world.pass(6 * PUBLISH_MS);
    a.isCut = false;
    await world.pass(PUBLISH_MS);
    expect(a.failures).toEqual([]);
  });

  test("continues if the store accepts the block in time, with a fresh timeout for the next one", async () => {
    const { world, a } = await led();
    for (let outage = 0; outage < 3; outage++) {
      a.isGateClosed = true;
      await world.pass(PUBLISH_MS - 2_000);
      a.isGateClosed = false;
      await world.pass(2_000);
    }
    expect(a.failures).toEqual([]);
    expect(a.leadership.state).toBe("leading");
  });
});
