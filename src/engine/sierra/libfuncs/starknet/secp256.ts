import { typeArg } from "../../libfunc/arguments.ts";
import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { boolType, u256Type, unitType, userTypeArg } from "../shared/types.ts";
import { syscall } from "./syscall.ts";
import { plain, type TypeOf } from "./types.ts";

/** Syscalls of one curve, `secp256k1` or `secp256r1`. */
function curveSyscalls(curve: "secp256k1" | "secp256r1"): LibfuncFamily {
  const name = `S${curve.slice(1)}`;
  const point = plain(`${name}Point`);
  const option: TypeOf = (context) =>
    context.find("Enum", [
      userTypeArg(`core::option::Option::<core::starknet::${curve}::${name}Point>`),
      typeArg(point(context)),
      typeArg(unitType(context)),
    ]);
  return {
    [`${curve}_new_syscall`]: syscall(`${name}New`, [u256Type, u256Type], [option]),
    [`${curve}_add_syscall`]: syscall(`${name}Add`, [point, point], [point]),
    [`${curve}_mul_syscall`]: syscall(`${name}Mul`, [point, u256Type], [point]),
    // The x coordinate, and whether y is odd.
    [`${curve}_get_point_from_x_syscall`]: syscall(
      `${name}GetPointFromX`,
      [u256Type, boolType],
      [option],
    ),
    [`${curve}_get_xy_syscall`]: syscall(`${name}GetXy`, [point], [u256Type, u256Type]),
  };
}

/** Syscall libfuncs of the secp256 curves. */
export const SECP256_LIBFUNCS: LibfuncFamily = {
  ...curveSyscalls("secp256k1"),
  ...curveSyscalls("secp256r1"),
};
