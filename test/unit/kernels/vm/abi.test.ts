import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KernelError } from "#base/errors/index.ts";
import { abiFingerprint, type KernelAbi } from "../../../../src/kernels/field/abi-source.ts";
import { FIELD_ABI } from "../../../../src/kernels/field/abi.ts";
import { checkAbi } from "../../../../src/kernels/field/instance.ts";
import {
  BUILTINS,
  BUILTIN_NAMES,
  CAUSES,
  FAILURE_RECORD,
  HINT_CODES,
  HINTS,
  INPUT_STATES,
  LAYOUT,
  SEGMENT_KINDS,
  STATUSES,
  VM_ABI,
} from "../../../../src/kernels/vm/abi.ts";
import { VmKernel } from "#kernels/vm/index.ts";
import { emptyProgram, NO_HOST, smallKernel, vmModule } from "./builds.ts";

const KERNELS = join(import.meta.dir, "../../../../src/kernels");

/** Sources of a kernel without its generated files. */
function sources(name: string): string {
  const folder = join(KERNELS, name, "assembly");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".generated.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}

/** Constants of one part of the table, as the kernel's source spells them. */
function constants(part: string, names: readonly string[]): string[] {
  return names.map((name) => `${part}.${name.toUpperCase()}`);
}

describe("the ABI table of the VM kernel", () => {
  const code = sources("vm");

  test.each([
    ...constants("Cause", Object.keys(CAUSES).slice(1)),
    ...constants("InstructionFault", VM_ABI.InstructionFault),
    ...constants("Status", STATUSES),
    ...constants("InputState", INPUT_STATES),
    ...constants("Handler", VM_ABI.Handler),
    ...constants("Hint", HINT_CODES),
    ...constants("FailureRecord", Object.keys(FAILURE_RECORD)),
  ])("has %s, which the kernel uses", (constant) => {
    expect(code).toMatch(new RegExp(`\\b${constant}\\b`));
  });

  test("leaves the kernel no numbers where the table has names", () => {
    const own = /namespace (?:Cause|Status|Kind|Handler|Hint|Form|Opcode)\b/g;
    expect(code.match(own)).toBeNull();
    const bare = /(?<!\.)\b(?:opcode|op1|res|resLogic|pc|ap|extension|\w*[fF]orm|hint) [=!]= \d+/g;
    expect(code.match(bare)).toBeNull();
  });

  test("maps every class hint to a kernel hint, with each operand once", () => {
    for (const [name, [code, ...operands]] of Object.entries(HINTS)) {
      expect(HINT_CODES).toContain(code);
      expect([name, new Set(operands).size]).toEqual([name, operands.length]);
    }
  });

  test("maps zeros to slow instructions and unwritten plain cells", () => {
    expect(VM_ABI.Handler[0]).toBe("slow");
    expect(SEGMENT_KINDS[0]).toBe("plain");
    expect(Object.keys(CAUSES)[0]).toBe("none");
  });

  test("counts a builtin's inputs among its cells, which fit into a byte", () => {
    for (const name of BUILTIN_NAMES) {
      const { cells, inputs } = BUILTINS[name];
      expect(inputs).toBeGreaterThan(0);
      expect(inputs).toBeLessThanOrEqual(cells);
      expect(cells).toBeLessThan(256);
    }
  });

  test.each(["plain", "wide", "debug"] as const)(
    "is the one that the %s build was made from",
    (form) => {
      const module = vmModule(form);
      const names = WebAssembly.Module.exports(module).map(({ name }) => name);
      expect(names).toContain("abi");
      expect(
        () => new VmKernel(NO_HOST, { cellBytes: 1 << 20, programBytes: 1 << 16, module }),
      ).not.toThrow();
    },
  );

  test("allows exactly MAX_FRAMES nested frames", () => {
    const kernel = smallKernel("plain", { cellBytes: 64 << 20 });
    const program = emptyProgram(kernel);
    for (let depth = 0; depth < LAYOUT.MAX_FRAMES; depth++) {
      expect(kernel.begin(program, false)).toBe(true);
    }
    expect(kernel.begin(program, false)).toBe(false);
  });

  test("reads back blocks of the transfer area's size and one cell more", () => {
    const kernel = smallKernel("plain");
    kernel.begin(emptyProgram(kernel), false);
    for (const count of [LAYOUT.TRANSFER_CELLS, LAYOUT.TRANSFER_CELLS + 1]) {
      const segment = kernel.addSegment("plain");
      const values = Array.from({ length: count }, (_, index) => BigInt(index));
      expect(kernel.writeMany({ segment, offset: 0 }, values)).toBe(true);
      expect(kernel.readMany({ segment, offset: 0 }, count)).toEqual(values);
    }
  });
});

describe("checking a kernel's ABI", () => {
  const exports = { abi: { value: abiFingerprint(VM_ABI) | 0 } } as {
    readonly abi: WebAssembly.Global<"i32">;
  };

  test("rejects another table and says what to do", () => {
    const other = { ...VM_ABI, Status: ["slice", "failed", "done"] };
    expect(() => checkAbi("vm", exports, VM_ABI)).not.toThrow();
    expect(() => checkAbi("vm", exports, other)).toThrow(KernelError);
    expect(() => checkAbi("vm", exports, other)).toThrow("bun scripts/kernels.ts");
  });

  const changes: readonly (readonly [string, KernelAbi, KernelAbi])[] = [
    ["two names swapped", { A: ["x", "y"] }, { A: ["y", "x"] }],
    ["a name more", { A: ["x"] }, { A: ["x", "y"] }],
    ["a number shifted", { A: { x: 1 } }, { A: { x: 2 } }],
    ["a wider number", { A: { x: 1 } }, { A: { x: 1n } }],
    ["another byte", { A: Uint8Array.of(1, 2) }, { A: Uint8Array.of(1, 3) }],
    ["another part", { A: ["x"] }, { B: ["x"] }],
  ];
  test.each(changes)("notices %s", (_, one, other) => {
    expect(abiFingerprint(one)).not.toBe(abiFingerprint(other));
  });

  test("finds every status of the curve's operation in the field kernel", () => {
    const code = sources("field");
    expect(FIELD_ABI.EcStatus).toHaveLength(4);
    for (const name of ["OK", "FIRST_NOT_ON_CURVE", "SECOND_NOT_ON_CURVE", "SAME_X"]) {
      expect(code).toContain(`EcStatus.${name}`);
    }
  });
});
