import { describe, expect, test } from "bun:test";
import type { SyncProgress } from "#services/sync/messages.ts";
import { LOWER_HEADS, ProgressReport } from "#services/sync/progress-report.ts";

const at = (number: number, hash = BigInt(number)) => ({ number, hash });

function report() {
  const told: SyncProgress[] = [];
  const progress = new ProgressReport(at(5), (each) => void told.push(each));
  return { progress, told, highest: () => told.at(-1)?.highest };
}

describe("the newest block of a gateway", () => {
  test("is the highest reported one, forwarded once per change", () => {
    const { progress, told, highest } = report();
    expect(told).toEqual([{ starting: at(5), current: at(5), highest: undefined }]);
    for (const number of [7, 7, 9, 9]) progress.head(at(number));
    expect(highest()).toEqual(at(9));
    expect(told.length).toBe(3);
    progress.stored(at(10));
    expect(told.at(-1)).toEqual({ starting: at(5), current: at(10), highest: at(10) });
    progress.head(at(10, 0x10n));
    expect(highest()).toEqual(at(10, 0x10n));
  });

  test("does not fall while a replica reports the higher one now and then", () => {
    const { progress, highest } = report();
    progress.head(at(9));
    for (let round = 0; round < 5; round++) {
      for (let answer = 1; answer < LOWER_HEADS; answer++) progress.head(at(6));
      progress.head(at(9));
    }
    expect(highest()).toEqual(at(9));
  });

  test("falls to the highest of the lower ones once only those are reported", () => {
    const { progress, highest } = report();
    progress.head(at(1_000_000));
    const lower = at(8);
    progress.head(lower);
    // One response counts once, however often it is used.
    for (let again = 0; again < 2 * LOWER_HEADS; again++) progress.head(lower);
    expect(highest()).toEqual(at(1_000_000));
    for (let answer = 1; answer < LOWER_HEADS; answer++) progress.head(at(6));
    expect(highest()).toEqual(at(8));
    for (let answer = 1; answer < LOWER_HEADS; answer++) progress.head(at(6));
    expect(highest()).toEqual(at(8));
    progress.head(at(6));
    expect(highest()).toEqual(at(6));
  });

  test("is never below the newest stored one", () => {
    const { progress, highest } = report();
    progress.head(at(9));
    for (let answer = 0; answer < 2 * LOWER_HEADS; answer++) progress.head(at(2));
    expect(highest()).toEqual(at(5));
  });
});
