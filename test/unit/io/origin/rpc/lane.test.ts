import { describe, expect, test } from "bun:test";
import { endpointOf } from "#io/http/index.ts";
import { OriginLane } from "#io/origin/rpc/lane.ts";

/** Pause after many failures in a row, with a deadline of a value. */
function pauseAfterFailures(valueMs: number): number {
  const lane = new OriginLane(endpointOf("http://127.0.0.1:1", []), 1, 1, valueMs);
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
});
