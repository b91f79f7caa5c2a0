export { type EcPoint, FieldKernel } from "./field.ts";
export { abortImport, compileKernel, hasWideArithmetic } from "./instance.ts";
