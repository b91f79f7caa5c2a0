import { hexFromFelt } from "#base/primitives/index.ts";
import type { RpcContext } from "../context.ts";
import type { MadeBlock } from "../devnet/access.ts";
import { NotServedError } from "../errors.ts";
import type { AdminAccess } from "./access.ts";

/**
 * What the admin methods do here.
 *
 * @throws {NotServedError} where there are none
 */
export function adminOf({ admin }: RpcContext): AdminAccess {
  if (admin === undefined) throw new NotServedError("this node has no admin methods");
  return admin;
}

/** A block that is accepted, as answers name it. */
export function encodeMadeBlock({ number, hash }: MadeBlock): {
  readonly block_number: number;
  readonly block_hash: string;
} {
  return { block_number: number, block_hash: hexFromFelt(hash) };
}
