import { AppError, NodeError } from "#base/errors/index.ts";
import type { SyncCheck, SyncRefusal } from "./ports.ts";

/** Refuses a block or a gateway: its data is wrong, or belongs to another chain. */
export class BlockRefused extends AppError {
  readonly refusal: SyncRefusal;
  /** Response that caused the refusal, for `BlockSource.distrust`; `undefined` if unknown. */
  readonly about: object | undefined;

  constructor(refusal: SyncRefusal, about?: object) {
    super("SYNC_REFUSED", refusal.message);
    this.refusal = refusal;
    this.about = about;
  }
}

/** Stops sync: the source follows another chain than the stored or configured one. */
export class OtherChainFollowed extends AppError {
  constructor(message: string) {
    super("SYNC_OTHER_CHAIN", message);
  }
}

/**
 * Refuses a block.
 *
 * @param blockNumber - `null` if the refusal is not about a specific block
 * @throws {BlockRefused} always
 */
export function refuse(check: SyncCheck, blockNumber: number | null, message: string): never {
  throw new BlockRefused({ check, blockNumber, message });
}

/** Returns what an error says about a gateway; `undefined` if it is about this node. */
export function refusalOf(error: unknown): SyncRefusal | undefined {
  if (error instanceof BlockRefused) return error.refusal;
  if (error instanceof NodeError && error.code === "NODE_BAD_ANSWER") {
    return { check: "form", blockNumber: null, message: error.message };
  }
  return undefined;
}
