import { hexFromFelt } from "#base/primitives/index.ts";
import type { MainContext } from "../context.ts";
import { type DeclareMethod, methodsWith } from "../method.ts";
import type { MadeBlock } from "../devnet/access.ts";
import type { AdminAccess } from "./access.ts";

/** Context of admin methods. */
export interface AdminContext extends MainContext {
  readonly admin: AdminAccess;
}

/** Declares a method that only the admin server has. */
export const adminMethod: DeclareMethod<AdminContext> = methodsWith<AdminContext>();

/** Encodes a reference to an accepted block. */
export function encodeMadeBlock({ number, hash }: MadeBlock): {
  readonly block_number: number;
  readonly block_hash: string;
} {
  return { block_number: number, block_hash: hexFromFelt(hash) };
}
