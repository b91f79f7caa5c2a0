import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { casmClassFromJson } from "#protocol/chain/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { classOf, push } from "./assembler.ts";

const vm = createCairoVm();

function casmFiles(folder: string): string[] {
  const names = readdirSync(fixturePath(folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.casm(\.json)?$/u.test(name))
    .map((name) => fixturePath(folder, name));
}

describe("CairoVm.prepare", () => {
  for (const folder of ["casm-golden", "classes"]) {
    sharedTest(`accepts every compiled class of ${folder}`, () => {
      let count = 0;
      for (const path of casmFiles(folder)) {
        const text = readFileSync(path, "utf8");
        // Some files of the compiler's tests are assembly text.
        if (!text.startsWith("{")) continue;
        vm.prepare(casmClassFromJson(text));
        count++;
      }
      expect(count).toBeGreaterThan(40);
    });
  }

  const cell = { register: "AP", offset: 0 };
  const refused: readonly (readonly [string, unknown, string])[] = [
    [
      "an unknown hint",
      { Cheatcode: { selector: "0x1" } },
      "hints[0][0]: expected a known hint, found Cheatcode",
    ],
    [
      "a missing operand",
      { AllocSegment: {} },
      "hints[0][0].AllocSegment.dst: expected a cell reference",
    ],
    [
      "an offset of more than 16 bits",
      { AllocSegment: { dst: { register: "FP", offset: 40_000 } } },
      "hints[0][0].AllocSegment.dst: expected an offset of 16 bits",
    ],
    [
      "an unknown operand",
      { SquareRoot: { value: { Cell: cell }, dst: cell } },
      "hints[0][0].SquareRoot.value: expected an operand, found Cell",
    ],
  ];
  test.each(refused)("rejects %s with its path", (_, hint, message) => {
    const casm = classOf(push(1n), { 0: [hint] });
    expect(() => vm.prepare(casm)).toThrow(DecodeError);
    expect(() => vm.prepare(casm)).toThrow(message);
  });

  test("skips assertion-only hints of old compilers", () => {
    const casm = classOf(push(1n), {
      0: ["AssertCurrentAccessIndicesIsEmpty", { DebugPrint: {} }],
    });
    expect(vm.prepare(casm).casm).toBe(casm);
  });

  test("prepares a class once", () => {
    const casm = classOf(push(1n));
    expect(vm.prepare(casm)).toBe(vm.prepare(casm));
  });
});
