import type { LibfuncFamily } from "../libfunc/specialization.ts";
import { ARRAY_LIBFUNCS } from "./array/array.ts";
import { BLAKE_LIBFUNCS } from "./blake.ts";
import { BOOL_LIBFUNCS } from "./bool.ts";
import { BOUNDED_INT_LIBFUNCS } from "./bounded-int/family.ts";
import { BOX_LIBFUNCS } from "./box.ts";
import { BYTES31_LIBFUNCS } from "./bytes31.ts";
import { CAST_LIBFUNCS } from "./casts/family.ts";
import { CIRCUIT_LIBFUNCS } from "./circuit/circuit.ts";
import { CONST_LIBFUNCS } from "./const.ts";
import { CONTROL_LIBFUNCS } from "./control.ts";
import { DICT_LIBFUNCS } from "./dict/dict.ts";
import { EC_LIBFUNCS } from "./ec/ec.ts";
import { ENUM_LIBFUNCS } from "./enum/family.ts";
import { FELT252_LIBFUNCS } from "./felt252.ts";
import { GAS_LIBFUNCS } from "./gas/family.ts";
import { GAS_RESERVE_LIBFUNCS } from "./gas-reserve.ts";
import { HASH_LIBFUNCS } from "./hashes.ts";
import { INT_RANGE_LIBFUNCS } from "./int-range.ts";
import { I128_LIBFUNCS, SINT_LIBFUNCS } from "./integers/sint.ts";
import { UINT_LIBFUNCS } from "./integers/uint.ts";
import { MEM_LIBFUNCS } from "./memory.ts";
import { NULLABLE_LIBFUNCS } from "./nullable.ts";
import { QM31_LIBFUNCS } from "./qm31/qm31.ts";
import { STARKNET_LIBFUNCS } from "./starknet/starknet.ts";
import { STRUCT_LIBFUNCS } from "./struct.ts";
import { U128_LIBFUNCS } from "./u128/family.ts";
import { U256_LIBFUNCS, U512_LIBFUNCS } from "./u256/family.ts";

/** All libfuncs by generic id. */
export const LIBFUNCS: LibfuncFamily = {
  ...ARRAY_LIBFUNCS,
  ...BLAKE_LIBFUNCS,
  ...BOOL_LIBFUNCS,
  ...BOUNDED_INT_LIBFUNCS,
  ...BOX_LIBFUNCS,
  ...BYTES31_LIBFUNCS,
  ...CAST_LIBFUNCS,
  ...CIRCUIT_LIBFUNCS,
  ...CONST_LIBFUNCS,
  ...CONTROL_LIBFUNCS,
  ...DICT_LIBFUNCS,
  ...EC_LIBFUNCS,
  ...ENUM_LIBFUNCS,
  ...FELT252_LIBFUNCS,
  ...GAS_LIBFUNCS,
  ...GAS_RESERVE_LIBFUNCS,
  ...HASH_LIBFUNCS,
  ...I128_LIBFUNCS,
  ...INT_RANGE_LIBFUNCS,
  ...MEM_LIBFUNCS,
  ...NULLABLE_LIBFUNCS,
  ...QM31_LIBFUNCS,
  ...SINT_LIBFUNCS,
  ...STARKNET_LIBFUNCS,
  ...STRUCT_LIBFUNCS,
  ...U128_LIBFUNCS,
  ...U256_LIBFUNCS,
  ...U512_LIBFUNCS,
  ...UINT_LIBFUNCS,
};
