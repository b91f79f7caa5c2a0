import { describe, expect, test } from "bun:test";
import {
  FAILURE_COUNTS_MS,
  GatewaySilence,
  MAX_SILENCE_MS,
  LOG_EVERY_MS,
} from "#app/node/sync/reports/gateway-silence.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { GatewayRequestEnded } from "#services/sync/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const ANSWERS = "the gateway responds";

function world() {
  const timer = new FakeTimer();
  const lines: string[] = [];
  const log = createLogger({
    level: "info",
    format: "json",
    write(line) {
      const { message, url, reason } = JSON.parse(line) as Record<string, string>;
      lines.push([message, url, reason].filter((each) => each !== undefined).join(" "));
    },
  });
  const silence = new GatewaySilence({ log, nowMs: () => timer.nowMs() });
  const asked = (
    outcome: GatewayRequestEnded["outcome"],
    url = "http://g",
    more: Partial<GatewayRequestEnded> = {},
  ) =>
    silence.requested({
      kind: "gatewayRequestEnded",
      url,
      route: "get_block",
      outcome,
      failure: outcome === "answered" ? undefined : "no\u001b[31m way",
      seconds: 1,
      ...more,
    })?.();
  return { timer, lines, asked };
}

describe("a silent gateway", () => {
  test("is logged immediately if it has never responded, then rarely", () => {
    const { timer, lines, asked } = world();
    for (let ms = 0; ms < LOG_EVERY_MS; ms += 1_000) {
      asked("failed");
      timer.advance(1_000);
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toEndWith("http://g no [31m way");
    asked("throttled");
    expect(lines).toHaveLength(2);
    asked("answered");
    asked("answered");
    expect(lines.slice(2)).toEqual([`${ANSWERS} http://g`]);
  });

  test("is not logged while it responded recently", () => {
    const { timer, lines, asked } = world();
    asked("answered");
    for (let i = 0; i < 20; i++) {
      asked("failed");
      timer.advance(MAX_SILENCE_MS - 1);
      asked("failed");
      asked("answered");
    }
    expect(lines).toEqual([]);
    asked("failed");
    timer.advance(MAX_SILENCE_MS);
    asked("failed");
    asked("failed");
    expect(lines).toHaveLength(1);
    asked("answered");
    expect(lines.at(-1)).toBe(`${ANSWERS} http://g`);
  });

  test("is tracked separately from other gateways", () => {
    const { lines, asked } = world();
    asked("answered", "http://a");
    asked("failed", "http://b");
    asked("failed", "http://a");
    asked("answered", "http://a");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("http://b");
  });

  test.each(["get_block", "get_state_update"])(
    "is logged with its cause within 10 s while %s fails and pre-confirmed blocks arrive",
    (route) => {
      const { timer, lines, asked } = world();
      const pending = { route: "get_preconfirmed_block" };
      asked("answered", "http://g", { route });
      asked("answered", "http://g", pending);
      // Failed requests are retried with doubling pauses.
      const failsAt = new Set([0, 250, 750, 1_750, 3_750, 7_750]);
      for (let ms = 0; ms < 10_000; ms += 250) {
        if (failsAt.has(ms)) asked("failed", "http://g", { route, failure: "status 500" });
        asked("answered", "http://g", pending);
        timer.advance(250);
      }
      expect(lines).toEqual([
        `the gateway gives no usable response to ${route}: retrying http://g status 500`,
      ]);
      asked("answered", "http://g", { route });
      expect(lines.slice(1)).toEqual([`${ANSWERS} http://g`]);
    },
  );

  test("is logged when a request is overdue", () => {
    const { lines, asked } = world();
    asked("answered");
    asked("overdue");
    expect(lines).toHaveLength(1);
  });

  test("is logged immediately for a long Retry-After, later for a short one", () => {
    const { lines, asked } = world();
    asked("answered");
    asked("throttled", "http://g", { retryAfterMs: MAX_SILENCE_MS - 1 });
    expect(lines).toEqual([]);
    asked("throttled", "http://g", { retryAfterMs: MAX_SILENCE_MS });
    expect(lines).toHaveLength(1);
  });

  test("counts as responding again although a failed route is no longer requested", () => {
    const { timer, lines, asked } = world();
    asked("failed", "http://g", { route: "get_class_by_hash" });
    asked("failed");
    asked("answered");
    expect(lines).toHaveLength(1);
    timer.advance(FAILURE_COUNTS_MS + 1);
    asked("answered");
    expect(lines.slice(1)).toEqual([`${ANSWERS} http://g`]);
  });
});
