import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { constantOf } from "../shared/constant.ts";
import { reinterpretationOf } from "../shared/identity.ts";
import { wideTryFromFelt252 } from "../shared/try-from-felt252.ts";

/** Bits of addresses and class hashes. */
const ADDRESS_BITS = 251n;

const ADDRESSES = { lower: 0n, upper: 1n << ADDRESS_BITS };

/** Libfuncs of contract addresses and class hashes. */
export const ADDRESS_LIBFUNCS: LibfuncFamily = {
  class_hash_const: constantOf("ClassHash", ADDRESSES),
  class_hash_to_felt252: reinterpretationOf("ClassHash", "felt252"),
  class_hash_try_from_felt252: wideTryFromFelt252("ClassHash", ADDRESS_BITS),
  contract_address_const: constantOf("ContractAddress", ADDRESSES),
  contract_address_to_felt252: reinterpretationOf("ContractAddress", "felt252"),
  contract_address_try_from_felt252: wideTryFromFelt252("ContractAddress", ADDRESS_BITS),
};
