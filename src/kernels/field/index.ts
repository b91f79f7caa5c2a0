export { type EcPoint, FieldKernel } from "./field.ts";
export { abortImport, checkAbi, compileKernel, hasWideArithmetic } from "./instance.ts";
export type { CurveParameters, CurvePoint, CurveTerm } from "./short-curve.ts";
