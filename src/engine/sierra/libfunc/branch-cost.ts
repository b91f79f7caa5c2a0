/** Builtins that are paid for before they are used, in the order of their code generation. */
export const PRECOST_TOKENS = [
  "Pedersen",
  "Poseidon",
  "Bitwise",
  "EcOp",
  "AddMod",
  "MulMod",
  "Blake",
] as const;

/** A builtin that is paid for before it is used. */
export type PrecostToken = (typeof PRECOST_TOKENS)[number];

/** What gas is counted in: the steady part, or a builtin. */
export type CostToken = "Const" | PrecostToken;

/** The steady part of a cost, in its parts. Missing ones are 0. */
export interface ConstCost {
  readonly steps?: number;
  readonly holes?: number;
  readonly rangeChecks?: number;
  readonly rangeChecks96?: number;
}

/** The cost of a branch of a libfunc, as far as it does not depend on the statement. */
export type BranchCost =
  | {
      readonly kind: "regular";
      readonly cost: ConstCost;
      readonly precost: Readonly<Partial<Record<PrecostToken, number>>>;
    }
  /** With what the function costs; `sign` is -1 where that is given back. */
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

/** Gas of the steady part. */
export function constGas({ steps = 0, holes = 0, rangeChecks = 0, rangeChecks96 = 0 }: ConstCost) {
  return 100 * steps + 10 * holes + 70 * rangeChecks + 56 * rangeChecks96;
}

/** A cost of steps and the like only. */
export function regularCost(
  cost: ConstCost,
  precost: Readonly<Partial<Record<PrecostToken, number>>> = {},
): BranchCost {
  return { kind: "regular", cost, precost };
}
