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
