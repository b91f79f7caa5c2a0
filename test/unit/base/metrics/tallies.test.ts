import { expect, test } from "bun:test";
import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import { TallyCounter, TallyHistogram } from "#base/metrics/tallies.ts";
import { assertProperty } from "#test/helpers/property.ts";

const COUNTER = { name: "calls", help: "Calls", labelNames: ["method"] } as const;
const TIMES = { name: "times", help: "Times", labelNames: ["method"], buckets: [0.001, 0.1, 1] };
const METHODS = ["a", "b", "c"] as const;

/** One registry with metrics of prom-client, and one with ours. */
function bothKinds() {
  const [plain, ours] = [new Registry(), new Registry()];
  const labelNames: "method"[] = ["method"];
  const config = { ...TIMES, labelNames };
  return {
    plain: {
      text: () => plain.metrics(),
      counter: new Counter({ ...COUNTER, labelNames, registers: [plain] }),
      times: new Histogram({ ...config, registers: [plain] }),
    },
    ours: {
      text: () => ours.metrics(),
      counter: new TallyCounter({ ...COUNTER, labelNames, registers: [ours] }),
      times: new TallyHistogram({ ...config, registers: [ours] }),
    },
  };
}

const event = fc.oneof(
  fc.record({ kind: fc.constant("count" as const), method: fc.constantFrom(...METHODS) }),
  fc.record({
    kind: fc.constant("time" as const),
    method: fc.constantFrom(...METHODS),
    // Bucket bounds belong to their bucket.
    seconds: fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.constantFrom(0.001, 0.1, 1)),
  }),
  fc.record({ kind: fc.constant("read" as const) }),
);

test("scrapes equal those of prom-client's counters and histograms", async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const { plain, ours } = bothKinds();
      for (const each of events) {
        if (each.kind === "read") {
          expect(sorted(await ours.text())).toBe(sorted(await plain.text()));
        } else if (each.kind === "count") {
          plain.counter.inc({ method: each.method });
          ours.counter.tally({ method: each.method }).add();
        } else {
          plain.times.observe({ method: each.method }, each.seconds);
          ours.times.series({ method: each.method }).observe(each.seconds);
        }
      }
      expect(sorted(await ours.text())).toBe(sorted(await plain.text()));
    }),
  );
});

test("tallies with the same labels share one series", async () => {
  const { ours } = bothKinds();
  for (let i = 0; i < 2; i++) {
    ours.counter.tally({ method: "a" }).add();
    ours.times.series({ method: "a" }).observe(0.05);
  }
  const lines = (await ours.text()).split("\n").filter((line) => !line.startsWith("#"));
  expect(lines).toContain('calls{method="a"} 2');
  expect(lines).toContain('times_bucket{le="0.1",method="a"} 2');
  expect(lines).toContain('times_count{method="a"} 2');
  expect(new Set(lines.filter((line) => line !== "")).size).toBe(7);
});

/** Series are listed in the order in which they were created or first counted. */
function sorted(text: string): string {
  return text.split("\n").sort().join("\n");
}
