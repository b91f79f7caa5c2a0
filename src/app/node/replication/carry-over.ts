import { THIS_NODE, type TransactionSubmitter } from "#api/rpc/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { HandedOn } from "#services/sync/index.ts";
import { keepHandedOn } from "./keep-handed-on.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** What carrying over works with. */
export interface CarryOverDeps {
  readonly setup: Pick<NodeSetup, "files" | "config">;
  /** What the node has handed on in the role that it leaves, and no accepted block has. */
  readonly handedOn: () => readonly HandedOn[];
  /** Of the role that it has then. */
  readonly submit: () => Pick<TransactionSubmitter, "declare">;
  readonly log: Pick<Logger, "info" | "warn">;
}

/**
 * Takes along what a follower has handed on when it becomes the one that makes the blocks: whoever had it
 * may have lost it, and this node has said that it was received.
 */
export class CarryOver {
  readonly #deps: CarryOverDeps;
  #declarations: readonly Declaration[] = [];

  constructor(deps: CarryOverDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps it in the mempool's file; no thread has that open.
   *
   * @throws {StorageError} when the file cannot be opened or written
   */
  async keep(): Promise<void> {
    const { setup, handedOn, log } = this.#deps;
    const kept = handedOn();
    this.#declarations = await keepHandedOn(setup, kept, Date.now());
    if (kept.length > 0) {
      log.info("transactions that were handed on wait here from now on", { count: kept.length });
    }
  }

  /** Declares what has to be compiled here, one after the other. Never rejects. */
  async declare(): Promise<void> {
    const { submit, log } = this.#deps;
    const declarations = this.#declarations;
    this.#declarations = [];
    for (const declaration of declarations) {
      const answer = await submit().declare(declaration, THIS_NODE);
      // Whoever had it may have told it to others before it fell silent.
      if (answer.kind === "accepted") continue;
      if (answer.kind === "rejected" && answer.code === "DUPLICATE_TX") continue;
      log.warn("a declaration that was handed on is lost", { reason: answer.reason });
    }
  }
}
