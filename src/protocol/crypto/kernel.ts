import { FieldKernel } from "#kernels/field/index.ts";

let instance: FieldKernel | undefined;

/** Field kernel of this thread, created on first use. */
export function fieldKernel(): FieldKernel {
  instance ??= new FieldKernel();
  return instance;
}
