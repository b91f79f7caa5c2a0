export { type EcOpResult, type EcPoint, FieldKernel } from "./field/field.ts";
export { FeltWindow } from "./field/window.ts";
export { abortImport, compileKernel, hasWideArithmetic, type KernelPaths } from "./instance.ts";
