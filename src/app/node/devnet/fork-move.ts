import { DevnetFault, type ForkTarget } from "#api/rpc/index.ts";
import { AppError, OriginError } from "#base/errors/index.ts";
import type { ForkOptions } from "../setup/fork.ts";

/** Dependencies of {@link ForkMove}. */
export interface ForkMoveDeps {
  /** Creates the chain at another block next to the present one, which it does not change. */
  readonly stage: (block: ForkOptions["block"]) => Promise<void>;
  /** Decides for the staged chain, in one step. */
  readonly decide: () => void;
  /** Deletes the staged chain. */
  readonly discard: () => void;
  /** Replaces the running chain by the one that was decided for. */
  readonly replace: () => Promise<void>;
}

/** Moves a fork to another block of its origin while the node runs. */
export class ForkMove {
  readonly #deps: ForkMoveDeps;
  #isMoving = false;

  constructor(deps: ForkMoveDeps) {
    this.#deps = deps;
  }

  /**
   * Moves the fork. Before the decision, any failure leaves the present chain as it is; after it, a failure stops
   * the node, and its next start completes the move.
   *
   * @throws {DevnetFault} when another move is in progress, or the chain cannot continue the block
   * @throws {OriginError} when the origin does not return the block
   */
  async to(target: ForkTarget): Promise<void> {
    if (this.#isMoving) throw new DevnetFault("the fork is being moved already: try again later");
    this.#isMoving = true;
    try {
      await this.#decide(target.kind === "latest" ? null : target);
      await this.#deps.replace();
    } finally {
      this.#isMoving = false;
    }
  }

  async #decide(block: ForkOptions["block"]): Promise<void> {
    const { stage, decide, discard } = this.#deps;
    try {
      await stage(block);
      decide();
    } catch (error) {
      discard();
      if (error instanceof OriginError || !(error instanceof AppError)) throw error;
      throw new DevnetFault(`the fork stays at its block: ${error.message}`);
    }
  }
}
