import { describe, expect, test } from "bun:test";
import { createDevPage, DevEnvironment } from "#services/sequencer/index.ts";

const PRICES = {
  l1Gas: { wei: 1n, fri: 2n },
  l1DataGas: { wei: 3n, fri: 4n },
  l2Gas: { wei: 5n, fri: 6n },
};
const NOW_MS = 1_700_000_000_900;

function environment() {
  const page = createDevPage(null, 0);
  return { writer: new DevEnvironment(page), reader: new DevEnvironment(page) };
}

describe("the time of a development chain", () => {
  test("is the system's by default", () => {
    expect(environment().reader.nowMs(NOW_MS)).toBe(NOW_MS);
  });

  test("is fixed at the set moment until a block is opened, and continues from there", () => {
    const { writer, reader } = environment();
    writer.setTime(2_000_000_000, NOW_MS);
    expect(reader.nowMs(NOW_MS + 5_000)).toBe(2_000_000_000_000);
    writer.opened();
    expect(reader.nowMs(NOW_MS + 5_000)).toBe(2_000_000_005_000);
  });

  test("is increased, even while fixed", () => {
    const { writer, reader } = environment();
    writer.increaseTime(10);
    writer.increaseTime(5);
    expect(reader.nowMs(NOW_MS)).toBe(NOW_MS + 15_000);
    writer.setTime(2_000_000_000, NOW_MS);
    writer.increaseTime(10);
    expect(reader.nowMs(NOW_MS)).toBe(2_000_000_010_000);
    writer.opened();
    expect(reader.nowMs(NOW_MS)).toBe(2_000_000_010_000);
  });

  test("continues from a block that is ahead of the system, but not from one behind", () => {
    const { writer, reader } = environment();
    writer.resume(1_700_000_100, NOW_MS);
    expect(reader.nowMs(NOW_MS + 50)).toBe(1_700_000_100_050);
    writer.resume(1_600_000_000, NOW_MS);
    expect(reader.nowMs(NOW_MS)).toBe(NOW_MS);
  });
});

describe("the time of a development chain with a start time", () => {
  test("starts at the set time, continues from the newest block, and restarts on reset", () => {
    const environment = new DevEnvironment(createDevPage(1_000, NOW_MS));
    expect(environment.nowMs(NOW_MS + 5_000)).toBe(1_005_000);
    environment.resume(2_000, NOW_MS);
    expect(environment.nowMs(NOW_MS + 5_000)).toBe(2_005_000);
    environment.increaseTime(10);
    environment.reset(NOW_MS + 5_000);
    expect(environment.nowMs(NOW_MS + 7_000)).toBe(1_002_000);
  });
});

describe("the prices of a development chain", () => {
  test("are the computed ones by default", () => {
    expect(environment().reader.priced(PRICES)).toEqual(PRICES);
  });

  test("are replaced one by one, up to 128 bits", () => {
    const { writer, reader } = environment();
    const large = (1n << 128n) - 1n;
    writer.setPrices({ l1Gas: { fri: 7n }, l2Gas: { wei: large } });
    writer.setPrices({ l1DataGas: { wei: 1n << 64n } });
    expect(reader.priced(PRICES)).toEqual({
      l1Gas: { wei: 1n, fri: 7n },
      l1DataGas: { wei: 1n << 64n, fri: 4n },
      l2Gas: { wei: large, fri: 6n },
    });
  });
});

test("a reset clears everything that was set", () => {
  const { writer, reader } = environment();
  writer.setTime(2_000_000_000, NOW_MS);
  writer.setPrices({ l1Gas: { wei: 7n }, l2Gas: { fri: 1n << 70n } });
  writer.reset(0);
  expect([reader.nowMs(NOW_MS), reader.priced(PRICES)]).toEqual([NOW_MS, PRICES]);
  writer.increaseTime(10);
  expect(reader.nowMs(NOW_MS)).toBe(NOW_MS + 10_000);
});

test("blocks stay held across a reset until released", () => {
  const { writer, reader } = environment();
  expect(reader.isHeld()).toBe(false);
  writer.hold(true);
  writer.reset(0);
  expect(reader.isHeld()).toBe(true);
  expect(reader.nowMs(NOW_MS)).toBe(NOW_MS);
  writer.hold(false);
  expect(reader.isHeld()).toBe(false);
});
