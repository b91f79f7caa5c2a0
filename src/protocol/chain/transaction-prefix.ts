import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";

/** Prefix of the hash of an invoke. */
export const INVOKE: Felt = feltFromShortString("invoke");

/** Prefix of the hash of a declare. */
export const DECLARE: Felt = feltFromShortString("declare");

/** Prefix of the hash of a deploy without account. */
export const DEPLOY: Felt = feltFromShortString("deploy");

/** Prefix of the hash of a deploy-account. */
export const DEPLOY_ACCOUNT: Felt = feltFromShortString("deploy_account");

/** Prefix of the hash of a message from L1. */
export const L1_HANDLER: Felt = feltFromShortString("l1_handler");

/** The entry point that a deploy calls. */
export const CONSTRUCTOR_SELECTOR: Felt = selectorFromName("constructor");
