import { hexFromFelt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { areFree, type FreeRules, MAX_BOOTSTRAP_DECLARES } from "#services/admission/index.ts";

/** What the report works with. */
export interface FreeTransactionsReportDeps {
  /** `null` on a chain that takes no fees: it never changes there. */
  readonly rules: FreeRules | null;
  /** The newest state that the main thread sees. */
  readonly state: () => Pick<StateReader, "classHashAt">;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** Says when transactions are free, until the native fee token has a contract, and when that is over. */
export class FreeTransactionsReport {
  readonly #deps: FreeTransactionsReportDeps;
  #areFree = false;

  constructor(deps: FreeTransactionsReportDeps) {
    this.#deps = deps;
    const { rules, state, log } = deps;
    if (rules === null || state().classHashAt(rules.nativeFeeToken) !== 0n) return;
    const native_fee_token = hexFromFelt(rules.nativeFeeToken);
    if (areFree(rules, state())) {
      this.#areFree = true;
      log.warn("transactions are free until the native fee token has a contract", {
        native_fee_token,
        bootstrap_declares: MAX_BOOTSTRAP_DECLARES,
      });
    } else {
      log.warn(
        "the native fee token has no contract, so that nobody can pay, and free transactions are not taken on a public address: --allow-bootstrap takes them",
        { native_fee_token },
      );
    }
  }

  /** To be called when the state has changed. */
  look(): void {
    const { rules, state, log } = this.#deps;
    if (!this.#areFree || rules === null || areFree(rules, state())) return;
    this.#areFree = false;
    log.info("the native fee token has a contract: transactions are free no more", {
      native_fee_token: hexFromFelt(rules.nativeFeeToken),
    });
  }
}
