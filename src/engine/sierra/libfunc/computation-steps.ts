import { constGas, type PrecostToken, PRECOST_TOKENS } from "./branch-cost.ts";

/** Number of uses of a builtin that are paid for at a statement. */
export type TokenUsages = (token: PrecostToken) => number;

/**
 * Steps, and equally stack cells, of the code that adds up builtin prices.
 *
 * @param withTable - whether the price table is an argument and need not be fetched
 */
export function computationSteps(withTable: boolean, usages: TokenUsages): number {
  let steps = 0;
  for (const token of PRECOST_TOKENS) {
    const count = usages(token);
    if (count === 1) steps += MULTIPLE_BY_ONE;
    else if (count !== 0) steps += MULTIPLE_BY_MANY;
  }
  return steps > 0 && !withTable ? steps + FETCH_OF_TABLE : steps;
}

/** Gas of the code of `withdraw_gas` itself on a branch, without the withdrawn amount. */
export function withdrawGasCost(
  branch: { readonly success: boolean; readonly withTable: boolean },
  usages: TokenUsages,
): number {
  const computation = computationSteps(branch.withTable, usages);
  const failure = branch.withTable || computation > 0 ? 2 : 1;
  const steps = 3 + computation + (branch.success ? 0 : failure);
  return constGas({ steps, rangeChecks: 1 });
}

const MULTIPLE_BY_ONE = 2;
const MULTIPLE_BY_MANY = 3;
const FETCH_OF_TABLE = 4;
