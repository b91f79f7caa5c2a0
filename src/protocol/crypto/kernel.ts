import { FieldKernel } from "#kernels/field/index.ts";

let instance: FieldKernel | undefined;

/** The field kernel of this thread, made at first use. */
export function fieldKernel(): FieldKernel {
  instance ??= new FieldKernel();
  return instance;
}
