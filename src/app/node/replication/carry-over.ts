import { THIS_NODE, type TransactionSubmitter } from "#api/rpc/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { ForwardedSubmission } from "#services/sync/index.ts";
import { keepForwarded } from "./keep-forwarded.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Dependencies of {@link CarryOver}. */
export interface CarryOverDeps {
  readonly setup: Pick<NodeSetup, "files" | "config">;
  /** Transactions that the node forwarded in its previous role and that are in no accepted block. */
  readonly forwardedSubmissions: () => readonly ForwardedSubmission[];
  /** Submitter of the new role. */
  readonly submit: () => Pick<TransactionSubmitter, "declare">;
  readonly log: Pick<Logger, "info" | "warn">;
}

/**
 * Keeps the transactions that a follower has forwarded when it becomes the leader. The previous leader may
 * have lost them, and this node has acknowledged them.
 */
export class CarryOver {
  readonly #deps: CarryOverDeps;
  #declarations: readonly Declaration[] = [];

  constructor(deps: CarryOverDeps) {
    this.#deps = deps;
  }

  /**
   * Stores them in the mempool's file; no thread may have it open.
   *
   * @throws {StorageError} when the file cannot be opened or written
   */
  async keep(): Promise<void> {
    const { setup, forwardedSubmissions, log } = this.#deps;
    const kept = forwardedSubmissions();
    this.#declarations = await keepForwarded(setup, kept, Date.now());
    if (kept.length > 0) {
      log.info("forwarded transactions now wait on this node", { count: kept.length });
    }
  }

  /** Submits declarations that have to be compiled on this node, one after another. Never rejects. */
  async declare(): Promise<void> {
    const { submit, log } = this.#deps;
    const declarations = this.#declarations;
    this.#declarations = [];
    for (const declaration of declarations) {
      const answer = await submit().declare(declaration, THIS_NODE);
      // The previous leader may have shared it with others before it failed.
      if (answer.kind === "accepted") continue;
      if (answer.kind === "rejected" && answer.code === "DUPLICATE_TX") continue;
      log.warn("a forwarded declaration is lost", { reason: answer.reason });
    }
  }
}
