import { expect, test } from "bun:test";
import { overridesOf } from "#api/explorer/page/decode/overrides.ts";

test("each line is an override; empty ones are skipped", () => {
  expect(overridesOf("0x1 0x2,0x3\n\n  0x4, 0x5\t0x6 \n", "storage")).toEqual([
    { contract_address: "0x1", key: "0x2", value: "0x3" },
    { contract_address: "0x4", key: "0x5", value: "0x6" },
  ]);
  expect(overridesOf("0x1 0xc1", "classes")).toEqual([
    { contract_address: "0x1", class_hash: "0xc1" },
  ]);
  expect(overridesOf(" \n", "classes")).toEqual([]);
});

test.each(["0x1 0x2", "0x1 0x2 0x3 0x4", "0x1 0x2 3", "0x1 0x2 0x"])(
  "a line with other parts is named: %s",
  (line) => {
    expect(() => overridesOf(`0x1 0x2 0x3\n${line}`, "storage")).toThrow(line);
  },
);
