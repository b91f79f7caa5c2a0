import { describe, expect, test } from "bun:test";
import { BlockPipeline } from "#services/sync/pipeline.ts";
import type { CheckedBlock } from "#services/sync/ports.ts";

const LIMITS = { maxBlocks: 8, maxBytes: 1 << 20 };
const PUBLIC_KEY = 1n;

/** A block with only its number. */
const checked = (number: number): CheckedBlock => ({
  kind: "checked",
  number,
  hash: BigInt(number),
  parentHash: BigInt(number - 1),
  timestamp: number,
  protocolVersion: "0.14.4",
  isOnL1: false,
  bundle: new Uint8Array(),
  classes: [],
  epoch: null,
  carried: [],
});

/** A pipeline over a gateway that lacks each block for the given number of requests. */
function pipelineOver(missing: ReadonlyMap<number, number>) {
  const asked: number[] = [];
  const left = new Map(missing);
  const pipeline = new BlockPipeline(
    {
      blocks: {
        get(blockNumber) {
          asked.push(blockNumber);
          const times = left.get(blockNumber) ?? 0;
          left.set(blockNumber, times - 1);
          return Promise.resolve(times > 0 ? undefined : checked(blockNumber));
        },
      },
      classes: { ahead: () => Promise.resolve([]) },
    },
    LIMITS,
  );
  pipeline.begin(0, PUBLIC_KEY);
  return { pipeline, asked };
}

describe("blocks that a gateway lacks", () => {
  test("are requested again, without those that arrived", async () => {
    const { pipeline, asked } = pipelineOver(
      new Map([
        [0, 1],
        [2, 2],
        [5, 1],
      ]),
    );
    pipeline.extend(5);
    expect(await pipeline.next()).toBeUndefined();
    pipeline.again();
    const given: (number | undefined)[] = [];
    for (let block = 0; block < 8 && given.at(-1) !== 5; block++) {
      const next = await pipeline.next();
      given.push(next?.block.number);
      if (next === undefined) pipeline.again();
      else pipeline.advance();
    }
    expect(given).toEqual([0, 1, undefined, 2, 3, 4, 5]);
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 0, 2, 5, 2]);
  });
});

test("blocks above the highest allowed one are not requested, also after a restart", () => {
  const { pipeline, asked } = pipelineOver(new Map());
  pipeline.extend(-1);
  expect(asked).toEqual([]);
  pipeline.begin(5, PUBLIC_KEY);
  pipeline.extend(4);
  expect(asked).toEqual([]);
  pipeline.extend(6);
  expect(asked).toEqual([5, 6]);
});
