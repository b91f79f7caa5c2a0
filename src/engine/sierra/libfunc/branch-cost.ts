/** Prepaid builtins, in their code generation order. */
export const PRECOST_TOKENS = [
  "Pedersen",
  "Poseidon",
  "Bitwise",
  "EcOp",
  "AddMod",
  "MulMod",
  "Blake",
] as const;

/** Builtin that is paid for before it is used. */
export type PrecostToken = (typeof PRECOST_TOKENS)[number];

/**
 * Unit in which gas is computed: the constant part (steps, holes and range checks), or a builtin
 * that is paid for before its use.
 */
export type CostToken = "Const" | PrecostToken;

/** Steps, memory holes and range checks that a libfunc's branch costs. Missing ones are 0. */
export interface ConstCost {
  readonly steps?: number;
  readonly holes?: number;
  readonly rangeChecks?: number;
  readonly rangeChecks96?: number;
}

/** Statement-independent part of the cost of a libfunc's branch. */
export type BranchCost =
  | {
      readonly kind: "regular";
      readonly cost: ConstCost;
      readonly precost: Readonly<Partial<Record<PrecostToken, number>>>;
    }
  /** Includes the cost of the function; `sign` is -1 for a refund. */
  | {
      readonly kind: "function";
      readonly cost: ConstCost;
      readonly function: number;
      readonly sign: 1 | -1;
    }
  | { readonly kind: "branch_align" }
  | { readonly kind: "withdraw_gas"; readonly success: boolean; readonly withTable: boolean }
  | { readonly kind: "redeposit_gas" }
  | { readonly kind: "get_unspent_gas" };

/** Converts steps, memory holes and range checks to gas. */
export function constGas({ steps = 0, holes = 0, rangeChecks = 0, rangeChecks96 = 0 }: ConstCost) {
  return 100 * steps + 10 * holes + 70 * rangeChecks + 56 * rangeChecks96;
}

/** Creates a cost that does not depend on functions or variables. */
export function regularCost(
  cost: ConstCost,
  precost: Readonly<Partial<Record<PrecostToken, number>>> = {},
): BranchCost {
  return { kind: "regular", cost, precost };
}
