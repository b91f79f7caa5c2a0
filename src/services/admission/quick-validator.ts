import type { CairoVm } from "#engine/cairo/index.ts";
import type { AccountTransaction, BlockInfo, HashedTransaction } from "#protocol/chain/index.ts";
import {
  type BlockContext,
  validateTransaction,
  type ValidationOutcome,
} from "#engine/execution/index.ts";
import type { PendingOverlay } from "#engine/state/index.ts";
import { feeOption } from "./fee-option.ts";
import type { ExecutionGuard } from "./execution-guard.ts";
import type { TimeBudget } from "./time-budget.ts";
import type { ValidationBlock } from "./validation-block.ts";

/**
 * Time limit of a validation on this thread, on which other submissions wait; longer ones move to another
 * thread.
 */
export const VALIDATION_LIMIT_MS = 150;

/** Dependencies of {@link QuickValidator}. */
export interface QuickValidatorDeps {
  /** Must poll {@link budget} for cancellation. */
  readonly vm: CairoVm;
  readonly budget: TimeBudget;
  readonly guard: ExecutionGuard;
  readonly block: ValidationBlock;
  readonly contextOf: (info: BlockInfo) => BlockContext;
  readonly chargeFees: boolean;
}

/** Runs accounts' validations on the pending state, each with a time limit and a crash record. */
export class QuickValidator {
  readonly #deps: QuickValidatorDeps;

  constructor(deps: QuickValidatorDeps) {
    this.#deps = deps;
  }

  /**
   * Validates a transaction on the current pending state.
   *
   * @returns `cancelled` when it exceeds {@link VALIDATION_LIMIT_MS}
   * @throws whatever a broken machine throws; the guard has then recorded the transaction
   */
  validate(
    hashed: HashedTransaction<AccountTransaction>,
    overlay: PendingOverlay,
    isSenderUndeployed: boolean,
    isImpersonated: boolean,
  ): ValidationOutcome {
    const { vm, budget, guard, block, contextOf, chargeFees } = this.#deps;
    const context = contextOf(block.infoFor(overlay));
    return guard.run(1, () => {
      guard.beforeTransaction(hashed.hash);
      return budget.run(VALIDATION_LIMIT_MS, () =>
        validateTransaction(vm, overlay.state(), context, hashed, {
          isSenderUndeployed,
          isImpersonated,
          ...feeOption(chargeFees),
        }),
      );
    });
  }
}
