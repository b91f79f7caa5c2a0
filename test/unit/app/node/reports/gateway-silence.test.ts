import { describe, expect, test } from "bun:test";
import {
  GatewaySilence,
  MAX_SILENCE_MS,
  SAID_EVERY_MS,
} from "#app/node/reports/gateway-silence.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const ANSWERS = "the gateway answers";

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
  const asked = (outcome: "answered" | "throttled" | "failed", url = "http://g") =>
    silence.asked({
      kind: "gatewayAsked",
      url,
      route: "get_block",
      outcome,
      failure: outcome === "answered" ? undefined : "no\u001b[31m way",
      seconds: 1,
    })?.();
  return { timer, lines, asked };
}

describe("a gateway", () => {
  test("that has never answered is named at once, and then as long as it is silent, seldom", () => {
    const { timer, lines, asked } = world();
    for (let ms = 0; ms < SAID_EVERY_MS; ms += 1_000) {
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

  test("that has answered may be silent for a while", () => {
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

  test("is told apart from others", () => {
    const { lines, asked } = world();
    asked("answered", "http://a");
    asked("failed", "http://b");
    asked("failed", "http://a");
    asked("answered", "http://a");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("http://b");
  });
});
