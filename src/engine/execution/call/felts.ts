import { selectorFromName } from "#protocol/crypto/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";

/** Panic felt: a syscall or an entry point received less gas than it needs. */
export const OUT_OF_GAS = feltFromShortString("Out of gas");
/** Panic felt: `get_block_hash` of a block that is too recent. */
export const BLOCK_NUMBER_OUT_OF_RANGE = feltFromShortString("Block number out of range");
/** Panic felt: the called class has no such entry point. */
export const ENTRYPOINT_NOT_FOUND = feltFromShortString("ENTRYPOINT_NOT_FOUND");
/** Felt that is appended to the return data of a failed inner call. */
export const ENTRYPOINT_FAILED = feltFromShortString("ENTRYPOINT_FAILED");
/** Panic felt: the input of `keccak` is not a whole number of blocks. */
export const INVALID_INPUT_LENGTH = feltFromShortString("Invalid input length");
/** Panic felt: a syscall's argument is invalid. */
export const INVALID_ARGUMENT = feltFromShortString("Invalid argument");

/** Felt that a Cairo 1 account's `__validate__` must return. */
export const VALID = feltFromShortString("VALID");

/** Selector of constructors. */
export const CONSTRUCTOR_SELECTOR = selectorFromName("constructor");
/** Selector of an account's `__execute__`. */
export const EXECUTE_SELECTOR = selectorFromName("__execute__");
/** Selector of an account's `__validate__`. */
export const VALIDATE_SELECTOR = selectorFromName("__validate__");
/** Selector of an account's `__validate_declare__`. */
export const VALIDATE_DECLARE_SELECTOR = selectorFromName("__validate_declare__");
/** Selector of an account's `__validate_deploy__`. */
export const VALIDATE_DEPLOY_SELECTOR = selectorFromName("__validate_deploy__");
/** Selector of a token's `transfer`. */
export const TRANSFER_SELECTOR = selectorFromName("transfer");
