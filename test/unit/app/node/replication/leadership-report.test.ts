import { expect, test } from "bun:test";
import { LeadershipReport } from "#app/node/replication/leadership-report.ts";
import { ObjectStoreError } from "#base/errors/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { LeadershipEvent } from "#services/replication/index.ts";
import { leaderRecord } from "#test/helpers/leader-records.ts";

const FAILURE = new ObjectStoreError("OBJECT_STORE_FAILED", "status\n500", true);

function world() {
  const lines: string[] = [];
  const log = createLogger({
    level: "info",
    format: "text",
    // Without the time.
    write: (line) => lines.push(line.trimEnd().replace(/^\S+ \S+ /, "")),
  });
  const metrics = createNodeMetrics().replication;
  const report = new LeadershipReport({ log, metrics });
  const tell = (...events: LeadershipEvent[]): string[] => {
    for (const event of events) report.tell(event);
    return lines.splice(0);
  };
  const gauges = async (): Promise<(number | undefined)[]> => [
    (await metrics.leader.get()).values[0]?.value,
    (await metrics.epoch.get()).values[0]?.value,
  ];
  return { tell, gauges };
}

test("logs and exports the leader and its epoch", async () => {
  const { tell, gauges } = world();
  tell({ kind: "follows" });
  const leader = leaderRecord({ epoch: 2, gatewayUrl: "http://a\u001b[2J" });
  expect(tell({ kind: "leader", leader })[0]).not.toContain("\u001b");
  expect(await gauges()).toEqual([0, 2]);
  expect(tell({ kind: "takesOver", epoch: 3, from: leaderRecord() })).toEqual([
    "WARN  no sequencer leads the chain: taking over epoch=3 from=http://127.0.0.1:1 stopped=false",
  ]);
  expect(tell({ kind: "leads", epoch: 3, newestBlock: 9 })).toEqual([
    "INFO  leading the chain epoch=3 block=9",
  ]);
  expect(await gauges()).toEqual([1, 3]);
  tell({ kind: "deposed", epoch: 3 });
  expect(await gauges()).toEqual([0, 3]);
});

test("logs why leadership is given up, and resets the gauge", async () => {
  const { tell, gauges } = world();
  tell({ kind: "leads", epoch: 3, newestBlock: 9 });
  expect(tell({ kind: "givesUp", epoch: 3, reason: "the disk\nhangs" })).toEqual([
    'ERROR this sequencer gives up leadership: another one may take over epoch=3 reason="the disk hangs"',
  ]);
  expect(await gauges()).toEqual([0, 3]);
});

test("resets the gauge when outrun", async () => {
  const { tell, gauges } = world();
  tell({ kind: "leads", epoch: 3, newestBlock: 9 });
  tell({ kind: "outrun", epoch: 3 });
  expect((await gauges())[0]).toBe(0);
});

test("logs a lost heartbeat once, and its recovery", () => {
  const { tell } = world();
  const [lost, given] = [
    { kind: "heartbeat", failure: FAILURE },
    { kind: "heartbeat", failure: null },
  ] as const;
  expect(tell(given, lost, lost, lost)).toEqual([
    expect.stringContaining("cannot write the heartbeat"),
  ]);
  expect(tell(given, given)).toEqual([expect.stringContaining("the heartbeat is written again")]);
});

test("logs an obstacle to a takeover only when it changes", () => {
  const { tell } = world();
  const obstacle = (given: Extract<LeadershipEvent, { kind: "obstacle" }>["obstacle"]) =>
    ({ kind: "obstacle", obstacle: given }) as const;
  const unseen = obstacle({ kind: "unseen", failure: FAILURE });
  const behind = obstacle({ kind: "behind", newestBlock: 3, publishedBlock: 5 });
  const lost = obstacle({ kind: "lost", newestBlock: 3, publishedBlock: 5 });
  expect(tell(obstacle(null), unseen, unseen)).toEqual([
    expect.stringContaining("the leader is unknown"),
  ]);
  expect(tell(behind, behind, obstacle(null))).toEqual([
    expect.stringContaining("the object store responds"),
    expect.stringMatching(/has to sync blocks .* newest=3 published=5/),
  ]);
  expect(tell(lost, lost)).toEqual([expect.stringMatching(/^ERROR .*up to 5, .* up to 3/)]);
});
