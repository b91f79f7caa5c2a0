import { describe, expect, test } from "bun:test";
import { executorSettings, type NodeSetup } from "#app/node/setup/setup.ts";
import type { ChainConfig } from "#protocol/config/index.ts";

type Timing = Pick<
  ChainConfig,
  | "blockTimeMs"
  | "blocksOnDemand"
  | "executionBatchSize"
  | "noEmptyBlocks"
  | "pendingBlockUpdateTimeMs"
>;

/** The executor's settings for a configuration with this timing. */
function settingsOf(timing: Partial<Timing> = {}) {
  const config = {
    blockTimeMs: 30_000,
    blocksOnDemand: false,
    executionBatchSize: 16,
    noEmptyBlocks: false,
    pendingBlockUpdateTimeMs: 2_000,
    ...timing,
  };
  return executorSettings({ config } as NodeSetup);
}

describe("the executor's settings", () => {
  test("take the schedule from the configuration", () => {
    expect(settingsOf().schedule).toEqual({
      blockTimeMs: 30_000,
      onDemand: false,
      noEmptyBlocks: false,
    });
    expect(settingsOf({ blocksOnDemand: true }).schedule.onDemand).toBe(true);
    expect(settingsOf({ noEmptyBlocks: true }).schedule.noEmptyBlocks).toBe(true);
  });

  test("raise batch sizes that are too small to pay off", () => {
    expect(settingsOf().batchSize).toBe(64);
    expect(settingsOf({ executionBatchSize: 65 }).batchSize).toBe(65);
  });

  test("bound the tick interval", () => {
    expect(settingsOf().tickMs).toBe(20);
    expect(settingsOf({ pendingBlockUpdateTimeMs: 12 }).tickMs).toBe(12);
    expect(settingsOf({ blockTimeMs: 11 }).tickMs).toBe(11);
    expect(settingsOf({ blockTimeMs: 1 }).tickMs).toBe(5);
  });
});
