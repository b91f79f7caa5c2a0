import { noArguments } from "../../libfunc/arguments.ts";
import { deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { FREE } from "../shared/steady.ts";
import { boxedTuple, plain, type TypeOf, U32, U64 } from "./types.ts";

/** Words in a state of SHA-256 and SHA-512. */
const STATE_WORDS = 8;

/** Returns the same cell as another type. */
function conversion(from: TypeOf, to: TypeOf): Specialize {
  return (context, args) => {
    noArguments(args);
    return {
      signature: straight([from(context)], [deferredOutput(to(context))], "other"),
      ...FREE,
      build: (invocation) => invocation.rename(invocation.args),
    };
  };
}

const SHA256_HANDLE = plain("Sha256StateHandle");
const SHA512_HANDLE = plain("Sha512StateHandle");
const SHA256_STATE = boxedTuple(U32, STATE_WORDS);
const SHA512_STATE = boxedTuple(U64, STATE_WORDS);

/** Libfuncs of SHA-256 and SHA-512 states. */
export const STATE_HANDLE_LIBFUNCS: LibfuncFamily = {
  sha256_state_handle_init: conversion(SHA256_STATE, SHA256_HANDLE),
  sha256_state_handle_digest: conversion(SHA256_HANDLE, SHA256_STATE),
  sha512_state_handle_init: conversion(SHA512_STATE, SHA512_HANDLE),
  sha512_state_handle_digest: conversion(SHA512_HANDLE, SHA512_STATE),
};
