import { describe, expect, test } from "bun:test";
import { hexToBigInt, keccak256, toHex } from "viem";
import type { StateReport } from "#io/l1/index.ts";
import { FakeL1, FakeRefusal, messageLog, stateUpdateLog } from "#test/helpers/fake-l1.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { L1_FAULTS, type RawLog, resultResponse } from "#test/helpers/l1-proxy.ts";
import { l1SourceWorld, sameChain } from "#test/helpers/l1-source.ts";

/** L1 block with two updates and a message between them. */
const SETTLED = 3;

/** L1 whose core contract received its last update in block {@link SETTLED}. */
function settledL1(): FakeL1 {
  const l1 = new FakeL1(SETTLED);
  const logs = [stateUpdateLog(1n, 4n, 2n), messageLog({ nonce: 0n }), stateUpdateLog(3n, 5n, 6n)];
  l1.mine(5, logs);
  l1.getters.set("stateRoot()", 3n);
  l1.getters.set("stateBlockNumber()", 5n);
  l1.getters.set("stateBlockHash()", 6n);
  return l1;
}

/** Hash of the transaction of a log in the fake L1. */
const transactionOf = (l1: FakeL1, logIndex: number): bigint =>
  hexToBigInt(keccak256(toHex(`${l1.block(SETTLED).hash} ${logIndex}`)));

const CORE = { stateRoot: 3n, blockNumber: 5n, blockHash: 6n };

describe("L1Source.stateReports", () => {
  test("reports hash, state updates and core state of a block per endpoint", async () => {
    const l1 = settledL1();
    const { world } = await sameChain(l1, 2);
    await using _ = world;
    const reports = await world.source.stateReports(SETTLED, []);
    expect(reports).toHaveLength(2);
    for (const [index, report] of reports.entries()) {
      expect(report).toMatchObject({
        kind: "read",
        endpoint: world.proxies[index]?.url,
        l1BlockHash: hexToBigInt(l1.block(SETTLED).hash),
        updates: [
          { stateRoot: 1n, blockNumber: 4n, blockHash: 2n },
          { ...CORE, transactionHash: transactionOf(l1, 2) },
        ],
        named: [],
        core: CORE,
      });
    }
  });

  test("reports the updates in receipts of the requested transactions", async () => {
    const l1 = settledL1();
    const { world } = await sameChain(l1, 1);
    await using _ = world;
    const [report] = await world.source.stateReports(6, [
      transactionOf(l1, 0),
      transactionOf(l1, 1),
      0x404n,
    ]);
    expect(report).toMatchObject({ updates: [], named: [{ stateRoot: 1n, blockNumber: 4n }] });
  });

  test("reports the newest state if that of the block is pruned", async () => {
    const l1 = settledL1();
    l1.intercept = (method, params) =>
      method === "eth_call" && params[1] === toHex(SETTLED)
        ? new FakeRefusal(-32_000, "missing trie node")
        : undefined;
    const { world } = await sameChain(l1, 1);
    await using _ = world;
    expect(await world.source.stateReports(SETTLED, [])).toMatchObject([
      { kind: "pruned", updates: [{}, {}], newest: CORE, newestL1Block: l1.head.number },
    ]);
    expect(world.reports.filter((line) => line.includes("left"))).toEqual([]);
  });

  test("reports the view of each endpoint, even if others disagree", async () => {
    const l1 = settledL1();
    const { world } = await sameChain(l1, 3);
    await using _ = world;
    world.proxies[1]?.add(L1_FAULTS.omitLogs());
    const fork = l1.fork();
    fork.reorg(6);
    world.proxies[2]?.add({
      lie: ({ call }) => resultResponse(fork.answer(call.method, call.params)),
    });
    const reports = await world.source.stateReports(SETTLED, []);
    const updates = reports.map((report) => report.kind === "read" && report.updates.length);
    expect(updates).toEqual([2, 0, 0]);
    expect(reports[2]).not.toMatchObject({ l1BlockHash: hexToBigInt(l1.block(SETTLED).hash) });
  });
});

describe("L1Source.stateReports marks an endpoint silent with the reason", () => {
  const silentOf = async (
    fail: (world: Awaited<ReturnType<typeof l1SourceWorld>>) => void,
    block = SETTLED,
  ): Promise<readonly StateReport[]> => {
    const l1 = settledL1();
    const timer = new FakeTimer();
    await using world = await l1SourceWorld([l1, l1], { timer, limits: { answerMs: 300 } });
    await world.source.chainId();
    fail(world);
    return await world.source.stateReports(block, []);
  };

  test("if it does not respond, while others report", async () => {
    const [first, second] = await silentOf(({ proxies }) => proxies[0]?.add(L1_FAULTS.hang()));
    expect(first).toMatchObject({
      kind: "silent",
      reason: expect.stringContaining("did not answer"),
    });
    expect(second?.kind).toBe("read");
  });

  test("if it does not have the block", async () => {
    const [first] = await silentOf(() => undefined, 99);
    expect(first).toMatchObject({ kind: "silent", reason: "it has no block 99" });
  });

  test("if it serves another chain", async () => {
    const [first] = await silentOf(({ proxies }) => proxies[0]?.add(L1_FAULTS.otherChain(5)));
    expect(first).toMatchObject({ kind: "silent", reason: expect.stringContaining("chain 5") });
  });

  test("if it returns a log of a block outside its chain", async () => {
    const [first] = await silentOf(({ proxies }) =>
      proxies[0]?.add({
        methods: ["eth_getLogs"],
        lie: async ({ result }) =>
          resultResponse(
            (await result<readonly RawLog[]>()).map((log) => ({
              ...log,
              blockHash: toHex(9, { size: 32 }),
            })),
          ),
      }),
    );
    expect(first).toMatchObject({
      kind: "silent",
      reason: expect.stringContaining("not in its chain"),
    });
  });
});

test("stateReports queries a dropped endpoint again once its pause is over", async () => {
  const { world, timer } = await sameChain(settledL1(), 2);
  await using _ = world;
  await world.source.chainId();
  world.proxies[0]?.add(L1_FAULTS.throttle("3600"));
  expect((await world.source.stateReports(SETTLED, []))[0]?.kind).toBe("silent");
  world.proxies[0]?.honest();
  const asked = world.proxies[0]?.call.length;
  expect((await world.source.stateReports(SETTLED, []))[0]?.kind).toBe("silent");
  expect(world.proxies[0]?.call.length).toBe(asked);
  timer.advance(3_600_000);
  expect((await world.source.stateReports(SETTLED, []))[0]?.kind).toBe("read");
});
