import { FieldKernel } from "#kernels/field/index.ts";

let instance: FieldKernel | undefined;

/** Returns this thread's instance of the WebAssembly field kernel, created on first use. */
export function fieldKernel(): FieldKernel {
  instance ??= new FieldKernel();
  return instance;
}
