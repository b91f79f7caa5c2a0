import { expect, test } from "bun:test";
import { LiveFeed } from "#api/rpc/ws/feed.ts";

test("interest in candidates is told when it changes, and at once to who asks later", () => {
  const feed = new LiveFeed();
  const told: unknown[] = [];
  feed.onInterest((isWanted) => told.push(["first", isWanted]));
  feed.want(false);
  feed.want(true);
  feed.want(true);
  feed.onInterest((isWanted) => told.push(["second", isWanted]));
  feed.want(false);
  expect(told).toEqual([
    ["first", true],
    ["second", true],
    ["second", false],
  ]);
});
