import { isJsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { NumberedForm } from "../rpc/pending.ts";
import { numberId } from "./calls.ts";
import { RPC_CODES } from "./rpc-codes.ts";

/** Number and hash of the fork block. */
export interface NamedFork {
  readonly number: number;
  readonly hash: Felt;
}

/** Error codes for a block id that a URL does not know or does not accept. */
export const ID_CODES: ReadonlySet<number> = new Set([
  RPC_CODES.blockNotFound,
  RPC_CODES.invalidParams,
]);

/** Returns the form of calls for URLs that do not find the fork block by its hash. */
export function byNumber({ number, hash }: NamedFork): NumberedForm {
  const hex = hexFromFelt(hash);
  return {
    codes: ID_CODES,
    paramsOf(params) {
      if (!isJsonObject(params)) return undefined;
      const id = params["block_id"];
      const isFork = id !== undefined && isJsonObject(id) && id["block_hash"] === hex;
      return isFork ? { ...params, block_id: numberId(number) } : undefined;
    },
  };
}
