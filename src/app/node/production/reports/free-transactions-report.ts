import { hexFromFelt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { areFree, type FreeRules, MAX_BOOTSTRAP_DECLARES } from "#services/admission/index.ts";

/** Dependencies of {@link FreeTransactionsReport}. */
export interface FreeTransactionsReportDeps {
  /** `null` on a chain without fees, where this never changes. */
  readonly rules: FreeRules | null;
  /** Newest state that the main thread sees. */
  readonly state: () => Pick<StateReader, "classHashAt">;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** Logs that transactions are free while the native fee token has no contract, and when this ends. */
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
        "the native fee token has no contract, so fees cannot be paid, and free transactions are not accepted on a public address: --allow-bootstrap accepts them",
        { native_fee_token },
      );
    }
  }

  /** Checks for the end; call it after each change of the state. */
  look(): void {
    const { rules, state, log } = this.#deps;
    if (!this.#areFree || rules === null || areFree(rules, state())) return;
    this.#areFree = false;
    log.info("the native fee token has a contract: transactions are no longer free", {
      native_fee_token: hexFromFelt(rules.nativeFeeToken),
    });
  }
}
