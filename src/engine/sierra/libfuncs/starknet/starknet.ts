import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { ADDRESS_LIBFUNCS } from "./addresses.ts";
import { SECP256_LIBFUNCS } from "./secp256.ts";
import { STATE_HANDLE_LIBFUNCS } from "./state-handles.ts";
import { STORAGE_ADDRESS_LIBFUNCS } from "./storage-addresses.ts";
import { SYSCALL_LIBFUNCS } from "./syscalls.ts";

/** Libfuncs of Starknet: syscalls, and their parameter and result types. */
export const STARKNET_LIBFUNCS: LibfuncFamily = {
  ...SYSCALL_LIBFUNCS,
  ...SECP256_LIBFUNCS,
  ...ADDRESS_LIBFUNCS,
  ...STORAGE_ADDRESS_LIBFUNCS,
  ...STATE_HANDLE_LIBFUNCS,
};
