import { expect, test } from "bun:test";
import { epochToLead } from "#services/replication/index.ts";
import { nextEpoch } from "#services/replication/lead-epoch.ts";
import { instanceOf, leaderRecord } from "#test/helpers/leader-records.ts";

const A = instanceOf("a");

test("a former leader continues its epoch without a new block", () => {
  expect(epochToLead(leaderRecord({ epoch: 4 }), 4, A)).toEqual({
    epoch: 4,
    isNew: false,
    predecessor: instanceOf("run a"),
  });
  // Its first block of that epoch was not published.
  expect(epochToLead(leaderRecord({ epoch: 4 }), 3, A)).toEqual({
    epoch: 4,
    isNew: false,
    predecessor: instanceOf("run a"),
  });
});

test("any other node starts the next epoch with a block", () => {
  expect(epochToLead(leaderRecord({ epoch: 4 }), 4, instanceOf("b"))).toEqual({
    epoch: 5,
    isNew: true,
    predecessor: null,
  });
  expect(epochToLead(undefined, 0, A)).toEqual({ epoch: 1, isNew: true, predecessor: null });
});

test("rejects an epoch above the maximum", () => {
  expect(nextEpoch(undefined, 2 ** 32 - 1)).toBe(2 ** 32);
  expect(() => nextEpoch(undefined, 2 ** 32)).toThrow("it was not written by a sequencer");
  expect(() => nextEpoch(undefined, Number.MAX_SAFE_INTEGER)).toThrow(
    "it was not written by a sequencer",
  );
});

test("epochs never fall below the record's or the newest block's", () => {
  expect(epochToLead(leaderRecord({ epoch: 2 }), 6, A)).toEqual({
    epoch: 7,
    isNew: true,
    predecessor: null,
  });
  expect(nextEpoch(leaderRecord({ epoch: 9 }), 6)).toBe(10);
  expect(nextEpoch(leaderRecord({ epoch: 1 }), 6)).toBe(7);
  expect(nextEpoch(undefined, 6)).toBe(7);
});
