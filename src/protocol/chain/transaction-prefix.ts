import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";

/** Prefix of invoke transaction hashes. */
export const INVOKE: Felt = feltFromShortString("invoke");

/** Prefix of declare transaction hashes. */
export const DECLARE: Felt = feltFromShortString("declare");

/** Prefix of deploy transaction hashes. */
export const DEPLOY: Felt = feltFromShortString("deploy");

/** Prefix of deploy-account transaction hashes. */
export const DEPLOY_ACCOUNT: Felt = feltFromShortString("deploy_account");

/** Prefix of L1-handler transaction hashes. */
export const L1_HANDLER: Felt = feltFromShortString("l1_handler");

/** Entry point that a deploy calls. */
export const CONSTRUCTOR_SELECTOR: Felt = selectorFromName("constructor");
