import { expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/ws/feed.ts";

test("LiveFeed reports interest in candidates on change, and immediately to a late listener", () => {
  const feed = new LiveFeed();
  const reports: unknown[] = [];
  feed.onInterest((isWanted) => reports.push(["first", isWanted]));
  feed.want(false);
  feed.want(true);
  feed.want(true);
  feed.onInterest((isWanted) => reports.push(["second", isWanted]));
  feed.want(false);
  expect(reports).toEqual([
    ["first", true],
    ["second", true],
    ["second", false],
  ]);
});

test("LiveFeed reports interest while one watcher watches candidates", () => {
  const feed = new LiveFeed();
  const reports: boolean[] = [];
  feed.onInterest((isWanted) => reports.push(isWanted));
  const nothing = (): void => undefined;
  const unwatch = feed.watch({ candidates: nothing, rejected: nothing, reverted: nothing });
  unwatch();
  expect(reports).toEqual([true, false]);
});
