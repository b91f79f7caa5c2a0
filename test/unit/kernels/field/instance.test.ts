import { expect, test } from "bun:test";
import { KernelError } from "#base/errors/index.ts";
import { abortImport, hasWideArithmetic } from "#kernels/field/index.ts";
import { fieldModule } from "./builds.ts";

test("a kernel abort becomes a KernelError with message and position", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const view = new DataView(memory.buffer);
  const place = (address: number, text: string): number => {
    view.setUint32(address - 4, text.length * 2, true);
    for (let i = 0; i < text.length; i++) view.setUint16(address + 2 * i, text.charCodeAt(i), true);
    return address;
  };
  const abort = abortImport(() => memory);
  const call = () => abort(place(64, "broken"), place(128, "felt.ts"), 19, 37);
  expect(call).toThrow(KernelError);
  try {
    call();
  } catch (error) {
    expect(error).toMatchObject({
      message: "broken",
      meta: { file: "felt.ts", line: 19, column: 37 },
    });
  }
});

test("only the wide build needs wide arithmetic", () => {
  expect(() => fieldModule("plain")).not.toThrow();
  if (hasWideArithmetic()) expect(() => fieldModule("wide")).not.toThrow();
  else expect(() => fieldModule("wide")).toThrow();
});

test("the field kernel imports only env.abort", () => {
  for (const form of ["plain", "wide", "debug"] as const) {
    expect(WebAssembly.Module.imports(fieldModule(form))).toEqual([
      { module: "env", name: "abort", kind: "function" },
    ]);
  }
});
