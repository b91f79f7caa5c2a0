import { expect, test } from "bun:test";
import { readinessReason } from "#app/node/setup/readiness-reasons.ts";

test("reports the reason closest to the machine", () => {
  const all = {
    fork: "fork",
    stall: "stall",
    l1: "l1",
    publication: "publication",
    source: "source",
  };
  const order = (["stall", "fork", "l1", "publication", "source"] as const).map((_, i, kinds) =>
    readinessReason({
      ...all,
      ...Object.fromEntries(kinds.slice(0, i).map((kind) => [kind, undefined])),
    }),
  );
  expect(order).toEqual(["stall", "fork", "l1", "publication", "source"]);
});

test("reports nothing without a reason", () => {
  const none = {
    fork: undefined,
    stall: undefined,
    l1: undefined,
    publication: undefined,
    source: undefined,
  };
  expect(readinessReason(none)).toBeUndefined();
});
