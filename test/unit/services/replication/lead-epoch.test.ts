import { expect, test } from "bun:test";
import { epochToLead } from "#services/replication/index.ts";
import { nextEpoch } from "#services/replication/lead-epoch.ts";
import { instanceOf, leaderRecord } from "#test/helpers/leader-records.ts";

const A = instanceOf("a");

test("whoever led goes on in its epoch, without a block of its own", () => {
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

test("anybody else begins the next epoch with a block", () => {
  expect(epochToLead(leaderRecord({ epoch: 4 }), 4, instanceOf("b"))).toEqual({
    epoch: 5,
    isNew: true,
    predecessor: null,
  });
  expect(epochToLead(undefined, 0, A)).toEqual({ epoch: 1, isNew: true, predecessor: null });
});

test("there is no epoch after the last one", () => {
  expect(nextEpoch(undefined, 2 ** 32 - 1)).toBe(2 ** 32);
  expect(() => nextEpoch(undefined, 2 ** 32)).toThrow("it was not written by a sequencer");
  expect(() => nextEpoch(undefined, Number.MAX_SAFE_INTEGER)).toThrow(
    "it was not written by a sequencer",
  );
});

test("epochs never fall: neither below the record's nor below the newest block's", () => {
  expect(epochToLead(leaderRecord({ epoch: 2 }), 6, A)).toEqual({
    epoch: 7,
    isNew: true,
    predecessor: null,
  });
  expect(nextEpoch(leaderRecord({ epoch: 9 }), 6)).toBe(10);
  expect(nextEpoch(leaderRecord({ epoch: 1 }), 6)).toBe(7);
  expect(nextEpoch(undefined, 6)).toBe(7);
});
