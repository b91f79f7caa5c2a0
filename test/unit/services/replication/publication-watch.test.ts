import { expect, test } from "bun:test";
import { HEARTBEAT_MS } from "#services/replication/heartbeat.ts";
import { PublicationWatch } from "#services/replication/publication-watch.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const TIMEOUT_MS = 10_000;

function world() {
  const timer = new FakeTimer();
  const reasons: string[] = [];
  const watch = new PublicationWatch({
    publishTimeoutMs: TIMEOUT_MS,
    onHopeless: (reason) => void reasons.push(reason),
    timer,
  });
  const beat = (times: number, isWritten = true, everyMs = HEARTBEAT_MS): void => {
    for (let i = 0; i < times; i++) {
      timer.advance(everyMs);
      watch.heartbeat(isWritten);
    }
  };
  return { watch, beat, reasons };
}

test("reports a block once that waits while heartbeats succeed", () => {
  const { watch, beat, reasons } = world();
  beat(30);
  watch.waiting("no answer yet");
  beat(9);
  watch.waiting("status 503");
  expect(reasons).toEqual([]);
  beat(20);
  expect(reasons).toEqual(["a block could not be published for 10 s: status 503"]);
});

test("restarts the time after a failed heartbeat", () => {
  const { watch, beat, reasons } = world();
  watch.waiting("status 503");
  for (let i = 0; i < 5; i++) {
    beat(9);
    beat(1, false);
  }
  expect(reasons).toEqual([]);
  beat(11);
  expect(reasons).toHaveLength(1);
});

test("restarts the time after a published or refused block", () => {
  const { watch, beat, reasons } = world();
  for (let i = 0; i < 5; i++) {
    watch.waiting("status 503");
    beat(9);
    watch.settled();
  }
  beat(30);
  expect(reasons).toEqual([]);
});

test("ignores time in which the process was suspended", () => {
  const { watch, beat, reasons } = world();
  watch.waiting("status 503");
  beat(3);
  beat(1, true, 600_000);
  expect(reasons).toEqual([]);
});
