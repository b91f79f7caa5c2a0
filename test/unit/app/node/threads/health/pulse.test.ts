import { expect, test } from "bun:test";
import { createPulsePage, Pulse, PULSE_MS, startPulse } from "#app/node/threads/health/pulse.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

test("a beat is visible through shared memory", () => {
  const page = createPulsePage();
  const seen = new Pulse(page);
  expect(seen.count).toBe(0);
  new Pulse(page).beat();
  expect(seen.count).toBe(1);
});

test("beats come at an interval, each after a probe, until stopped", () => {
  const pulse = new Pulse(createPulsePage());
  const timer = new FakeTimer();
  const countsAtProbe: number[] = [];
  const probe = (): void => void countsAtProbe.push(pulse.count);
  const stop = startPulse({ pulse, probe, timer });
  timer.advance(PULSE_MS - 1);
  expect(pulse.count).toBe(0);
  timer.advance(1 + PULSE_MS);
  expect(pulse.count).toBe(2);
  expect(countsAtProbe).toEqual([0, 1]);
  stop();
  timer.advance(10 * PULSE_MS);
  expect(pulse.count).toBe(2);
});
