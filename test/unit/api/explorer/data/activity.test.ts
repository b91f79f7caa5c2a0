import { expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import { explorerApi, type ExplorerApi } from "#test/helpers/explorer-api.ts";
import { explorerBlock, invokeOf } from "#test/helpers/explorer-blocks.ts";
import type { FakeBlock } from "#test/helpers/fake-chain.ts";

/** A whole minute, in Unix seconds. */
const START = 1_700_000_040;

/** Blocks of two transactions each at these seconds after {@link START}. */
function blocksAt(...seconds: readonly number[]): FakeBlock[] {
  return seconds.map((second, number) => {
    const block = explorerBlock(number, [
      { transaction: invokeOf(0xan) },
      { transaction: invokeOf(0xbn) },
    ]);
    return { ...block, header: { ...block.header, timestamp: START + second } };
  });
}

async function minutesOf(api: ExplorerApi): Promise<JsonObject[]> {
  const { status, body } = await api.get("activity");
  expect(status).toBe(200);
  const minutes = body["minutes"] as JsonObject[];
  expect(minutes).toHaveLength(60);
  return minutes;
}

const shown = (minutes: readonly JsonObject[]) =>
  minutes
    .filter(({ blocks }) => blocks !== 0)
    .map(({ unix_ms, blocks, transactions, l2_gas }) => [
      (Number(unix_ms) / 1000 - START) / 60,
      blocks,
      transactions,
      l2_gas,
    ]);

test("adds up the blocks of each minute of the last hour, oldest first", async () => {
  using api = await explorerApi(blocksAt(-3_600, 0, 59, 60, 3_599), {
    nowMs: (START + 3_599) * 1000,
  });
  const minutes = await minutesOf(api);
  expect(shown(minutes)).toEqual([
    [0, 2, 4, 400],
    [1, 1, 2, 200],
    [59, 1, 2, 200],
  ]);
  expect(minutes[0]?.["unix_ms"]).toBe(START * 1000);
});

test("is about the chain's last hour when its time is ahead of the clock", async () => {
  using api = await explorerApi(blocksAt(0, 1_000_000), { nowMs: START * 1000 });
  expect(shown(await minutesOf(api))).toEqual([[Math.floor(1_000_000 / 60), 1, 2, 200]]);
});

test("has an hour of empty minutes on an empty index", async () => {
  using api = await explorerApi([], { nowMs: START * 1000 });
  expect(shown(await minutesOf(api))).toEqual([]);
});
