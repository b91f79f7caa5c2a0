import { describe, expect, test } from "bun:test";
import { endpointOf } from "#io/http/index.ts";
import { OriginLane } from "#io/origin/rpc/lane.ts";

const ENDPOINT = endpointOf("http://127.0.0.1:1", []);
const VALUE_MS = 10_000;

/** Pause after many failures in a row, with a deadline of a value. */
function pauseAfterFailures(valueMs: number): number {
  const lane = new OriginLane(ENDPOINT, 1, 1, valueMs);
  for (let at = 0; at < 30; at++) lane.failed(at, at);
  return lane.readyAtMs - 29;
}

describe("OriginLane", () => {
  test("pauses for at most half of a value's deadline", () => {
    expect(pauseAfterFailures(3_000)).toBe(1_500);
  });

  test("pauses for at most five seconds", () => {
    expect(pauseAfterFailures(600_000)).toBe(5_000);
  });

  test.each([
    ["a minute", 60_000, 60_000],
    ["ten minutes", 600_000, 600_000],
    ["thirty years", 999_999_999_000, 600_000],
  ])("sends again after a URL asked for a pause of %s", (_, askedMs, pausedMs) => {
    const lane = new OriginLane(ENDPOINT, 50, 8, VALUE_MS);
    lane.rejected(askedMs, 1_000, 1_000);
    expect(lane.canSend(1_000 + pausedMs - 1)).toBeFalse();
    expect(lane.canSend(1_000 + pausedMs)).toBeTrue();
  });

  test("does not pause for longer after a second response of the same time", () => {
    const lane = new OriginLane(ENDPOINT, 50, 8, VALUE_MS);
    lane.rejected(undefined, 1_000, 2_000);
    lane.rejected(999_999_999_000, 1_000, 2_000);
    expect(lane.canSend(2_000 + 600_000)).toBeTrue();
  });
});
