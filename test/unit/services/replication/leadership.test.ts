import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { instanceOf, storedLeader, writeLeader } from "#test/helpers/leader-records.ts";
import { FakeSequencer, LeadershipWorld, TAKEOVER_MS } from "#test/helpers/leadership-world.ts";

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

describe("a sequencer that starts a new epoch", () => {
  test("announces its leadership only once its first block is published", async () => {
    const world = new LeadershipWorld();
    world.publish(0);
    const a = new FakeSequencer("a", false, world);
    a.isCut = true;
    a.lead(1, true);
    await world.pass(10_000);
    expect([a.leadership.state, storedLeader(world.store), world.epochs]).toEqual([
      "beginning",
      undefined,
      [0],
    ]);
    a.isCut = false;
    await world.pass(1_500);
    expect(a.leadership.state).toBe("leading");
    expect(storedLeader(world.store)).toMatchObject({ epoch: 1, instance: instanceOf("a") });
    expect(a.events).toContainEqual({ kind: "leads", epoch: 1, newestBlock: 1 });
  });

  test("ends if another block has the number of its first", async () => {
    const world = new LeadershipWorld();
    world.publish(0);
    const a = new FakeSequencer("a", false, world);
    world.publish(4);
    writeLeader(world.store, { epoch: 4, instance: instanceOf("b") });
    a.lead(1, true);
    await world.pass(5_000);
    expect(a.endedBy).toMatchObject({ epoch: 4, instance: instanceOf("b") });
    expect([a.role, world.epochs, a.handOverDeadlines]).toEqual(["standby", [0, 4], [10_000]]);
  });
});

test("a sequencer that continues its epoch announces it immediately", async () => {
  const world = new LeadershipWorld();
  world.publish(1);
  writeLeader(world.store, { epoch: 1, counter: 12, newestBlock: 0 });
  const a = new FakeSequencer("a", false, world).lead(1, false);
  expect(a.leadership.state).toBe("leading");
  await world.pass(100);
  expect(storedLeader(world.store)?.counter).toBe(13);
});

describe("a standby", () => {
  test("knows the leader, and hands its mempool over to it", async () => {
    const { followers } = await led("b");
    const [b] = followers;
    expect(b?.leadership.leader).toMatchObject({ epoch: 1, gatewayUrl: "http://a" });
    expect([b?.leadership.state, b?.role, b?.handOverDeadlines]).toEqual([
      "following",
      "standby",
      [null],
    ]);
  });

  test("takes over from a killed leader with a block of the next epoch", async () => {
    const { world, a, followers } = await led("b");
    const [b] = followers;
    a.kill();
    const before = world.epochs.length;
    await world.pass(TAKEOVER_MS - 1_000);
    expect(world.epochs).toHaveLength(before);
    await world.pass(3_000);
    expect(world.epochs.slice(before, before + 2)).toEqual([2, 2]);
    expect(storedLeader(world.store)).toMatchObject({ epoch: 2, instance: instanceOf("b") });
    expect([b?.leadership.state, b?.leadership.leader]).toEqual(["leading", undefined]);
    expect(b?.kinds).toEqual(expect.arrayContaining(["follows", "leader", "takesOver", "leads"]));
  });

  test("takes over immediately from a cleanly stopped leader", async () => {
    const { world, a, followers } = await led("b");
    await a.leadership.stop();
    a.kill();
    await world.pass(1_000);
    expect(followers[0]?.leadership.state).toBe("leading");
  });

  test("leaves a leader without blocks alone", async () => {
    const { world, a, followers } = await led("b");
    // Its heartbeats continue; its blocks do not.
    a.newest = 900;
    await world.pass(300_000);
    expect(followers[0]?.leadership.state).toBe("following");
    expect(a.leadership.state).toBe("leading");
  });

  test("keeps following when outrun by another one", async () => {
    const { world, a, followers } = await led("b", "c");
    a.kill();
    await world.pass(TAKEOVER_MS + 8_000);
    const states = followers.map(({ leadership }) => leadership.state).toSorted();
    expect(states).toEqual(["following", "leading"]);
    const follower = followers.find(({ leadership }) => leadership.state === "following");
    const leader = followers.find(({ leadership }) => leadership.state === "leading");
    expect([follower?.role, follower?.endedBy]).toEqual(["standby", undefined]);
    expect(rising(world.epochs)).toBe(true);
    // Afterwards it takes over from the other one.
    leader?.kill();
    await world.pass(TAKEOVER_MS + 4_000);
    expect(follower?.leadership.state).toBe("leading");
    expect(world.epochs.at(-1)).toBeGreaterThan(2);
  });

  test("forwards nothing to the old leader when outrun, until it knows the new one", async () => {
    const { world, a, followers } = await led("b", "c");
    a.kill();
    world.store.fault = ({ method, key }) =>
      key === "leader" && method !== "get" ? "down" : "none";
    await world.pass(TAKEOVER_MS + 3_000);
    const outrun = followers.find(({ kinds }) => kinds.includes("outrun"));
    expect(outrun?.leadership.state).toBe("following");
    expect(storedLeader(world.store)?.instance).toBe(instanceOf("a"));
    expect(outrun?.leadership.leader).toBeUndefined();
    world.store.fault = () => "none";
    await world.pass(2_000);
    expect(outrun?.leadership.leader).toMatchObject({ epoch: 2 });
    expect(outrun?.leadership.leader?.instance).not.toBe(instanceOf("a"));
  });

  test("keeps following when another one published an identical block", async () => {
    const { world, a, followers } = await led("b", "c");
    world.areBlocksAlike = true;
    a.kill();
    await world.pass(TAKEOVER_MS + 1_500);
    world.areBlocksAlike = false;
    await world.pass(5_000);
    const states = followers.map(({ leadership }) => leadership.state).toSorted();
    expect(states).toEqual(["following", "leading"]);
    expect(followers.map(({ endedBy }) => endedBy)).toEqual([undefined, undefined]);
    expect(followers.filter(({ kinds }) => kinds.includes("leads"))).toHaveLength(2);
  });

  test("fails if its role change fails, unless it is stopping", async () => {
    for (const [code, failures] of [
      ["NODE_WORKER_FAILED", 1],
      ["NODE_STOPPING", 0],
    ] as const) {
      const { world, a, followers } = await led("b");
      const [b] = followers;
      b?.failToLead(new NodeError(code, "no"));
      a.kill();
      await world.pass(TAKEOVER_MS + 2_000);
      expect(b?.failures).toHaveLength(failures);
    }
  });
});

describe("a leader", () => {
  test("paused during a takeover publishes nothing, hands over, and ends", async () => {
    const { world, a, followers } = await led("b");
    a.pause();
    await world.pass(20_000);
    const published = world.epochs.length;
    a.resume();
    await world.pass(2_000);
    expect(world.epochs.slice(published).every((epoch) => epoch === 2)).toBe(true);
    expect(a.endedBy).toMatchObject({
      epoch: 2,
      instance: instanceOf("b"),
      gatewayUrl: "http://b",
    });
    expect(a.handOverDeadlines).toEqual([10_000]);
    expect(a.kinds).toContain("deposed");
    expect(followers[0]?.leadership.state).toBe("leading");
    expect(rising(world.epochs)).toBe(true);
  });

  test("cut off from the store learns of a takeover when it reconnects", async () => {
    const { world, a, followers } = await led("b");
    a.isCut = true;
    await world.pass(20_000);
    expect([a.leadership.state, followers[0]?.leadership.state]).toEqual(["leading", "leading"]);
    a.isCut = false;
    await world.pass(2_000);
    expect(a.endedBy).toMatchObject({ instance: instanceOf("b") });
    expect(rising(world.epochs)).toBe(true);
  });

  test("continues after a minute without a store", async () => {
    const { world, a, followers } = await led("b");
    world.store.fault = () => "down";
    await world.pass(60_000);
    world.store.fault = () => "none";
    await world.pass(10_000);
    expect([a.leadership.state, followers[0]?.leadership.state]).toEqual(["leading", "following"]);
    expect(new Set(world.epochs)).toEqual(new Set([0, 1]));
    expect(a.events).toContainEqual(
      expect.objectContaining({ kind: "heartbeat", failure: expect.anything() }),
    );
  });

  test("ends even if it cannot see who took over", async () => {
    const { world, a } = await led();
    world.publish(9);
    a.newest = world.epochs.length - 2;
    world.store.objects.delete("leader");
    world.store.fault = ({ key }) => (key === "leader" ? "down" : "none");
    await world.pass(10_000);
    expect(a.endedBy).toBe("nobody known");
  });
});

describe("a sequencer started to lead while behind", () => {
  test("leads once it has every block", async () => {
    const world = new LeadershipWorld();
    world.publish(3);
    writeLeader(world.store, { epoch: 3, instance: instanceOf("z"), hasStopped: true });
    const a = new FakeSequencer("a", false, world).follow();
    a.newest = -1;
    await world.pass(3_000);
    expect([a.leadership.state, world.epochs.slice(0, 2)]).toEqual(["leading", [3, 4]]);
  });

  test("ends if another node leads meanwhile", async () => {
    const world = new LeadershipWorld();
    world.publish(3);
    writeLeader(world.store, { epoch: 3, instance: instanceOf("z") });
    const a = new FakeSequencer("a", false, world).follow();
    await world.pass(2_000);
    writeLeader(world.store, { epoch: 3, instance: instanceOf("z"), counter: 2 });
    await world.pass(1_000);
    expect(a.endedBy).toMatchObject({ instance: instanceOf("z"), counter: 2 });
    expect(world.epochs).toEqual([3]);
  });
});

describe("a node that stops", () => {
  test("changes nothing, and finally records a clean stop", async () => {
    const { world, a } = await led();
    a.leadership.freeze();
    a.leadership.refused();
    await world.pass(1_000);
    expect([a.role, a.endedBy]).toEqual(["sequencer", undefined]);
    await a.leadership.stop();
    expect(storedLeader(world.store)?.hasStopped).toBe(true);
  });

  test("as a standby writes nothing and takes no turn", async () => {
    const { world, a, followers } = await led("b");
    const [b] = followers;
    a.kill();
    await world.pass(3_000);
    await b?.leadership.stop();
    await world.pass(20_000);
    expect([b?.role, storedLeader(world.store)?.hasStopped]).toEqual(["standby", false]);
  });
});
