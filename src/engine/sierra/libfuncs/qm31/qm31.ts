import { noArguments } from "../../libfunc/arguments.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { LibfuncFamily, SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { constant } from "../shared/constant.ts";
import { reinterpretation } from "../shared/identity.ts";
import { isZeroOf } from "../shared/is-zero.ts";
import { unsupported } from "../shared/types.ts";
import { m31Operation, qm31Operation } from "./operation.ts";
import { qm31Pack } from "./pack.ts";
import { M31_MAX, m31Type, PART_BOUND, qm31Type } from "./types.ts";
import { qm31Unpack } from "./unpack.ts";

/** Libfuncs of integers modulo 2^31 - 1, and of four of them packed in one felt. */
export const QM31_LIBFUNCS: LibfuncFamily = {
  m31_add: m31Operation("sum"),
  m31_sub: m31Operation("difference"),
  m31_mul: m31Operation("product"),
  m31_div: m31Operation("quotient"),
  qm31_add: qm31Operation("sum"),
  qm31_sub: qm31Operation("difference"),
  qm31_mul: qm31Operation("product"),
  qm31_div: qm31Operation("quotient"),
  qm31_const: qm31Const,
  qm31_is_zero: isZeroOf("qm31"),
  qm31_pack: qm31Pack,
  qm31_unpack: qm31Unpack,
  qm31_from_m31: qm31FromM31,
};

/** Constant from four parts, lowest first. */
function qm31Const(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  if (args.length !== 4) unsupported("four parts");
  const value = args.reduceRight((higher, part) => higher * PART_BOUND + partOf(part), 0n);
  return constant(qm31Type(context), value);
}

function partOf(argument: GenericArgument): bigint {
  return argument.kind === "value" && argument.value >= 0n && argument.value <= M31_MAX
    ? argument.value
    : unsupported(`parts from 0 to ${M31_MAX}`);
}

/** Number with the argument as its lowest part and zeros elsewhere. */
function qm31FromM31(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  noArguments(args);
  return reinterpretation(m31Type(context), qm31Type(context));
}
