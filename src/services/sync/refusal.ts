import { AppError, NodeError } from "#base/errors/index.ts";
import type { SyncCheck, SyncRefusal } from "./ports.ts";

/** Ends what is done with a block, or with a gateway: what it tells is not true, or not ours. */
export class BlockRefused extends AppError {
  readonly refusal: SyncRefusal;
  /** The answer that it is about, as `BlockSource.distrust` takes it; `undefined`: it is not known. */
  readonly about: object | undefined;

  constructor(refusal: SyncRefusal, about?: object) {
    super("SYNC_REFUSED", refusal.message);
    this.refusal = refusal;
    this.about = about;
  }
}

/**
 * Ends following: what is followed is another chain than the one that is stored, or than the one that the
 * node is told to have.
 */
export class OtherChainFollowed extends AppError {
  constructor(message: string) {
    super("SYNC_OTHER_CHAIN", message);
  }
}

/**
 * Refuses a block.
 *
 * @param blockNumber - `null`: it is about no block
 * @throws {BlockRefused} always
 */
export function refuse(check: SyncCheck, blockNumber: number | null, message: string): never {
  throw new BlockRefused({ check, blockNumber, message });
}

/** What an error says of a gateway; `undefined`: nothing, it is about this node. */
export function refusalOf(error: unknown): SyncRefusal | undefined {
  if (error instanceof BlockRefused) return error.refusal;
  if (error instanceof NodeError && error.code === "NODE_BAD_ANSWER") {
    return { check: "form", blockNumber: null, message: error.message };
  }
  return undefined;
}
