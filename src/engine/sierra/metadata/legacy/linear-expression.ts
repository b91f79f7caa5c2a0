/** Sum of a constant and multiples of variables; every listed variable has a non-zero coefficient. */
export interface LinearExpression {
  readonly constant: number;
  /** Coefficient of each variable, in an order that the generated code depends on. */
  readonly terms: ReadonlyMap<number, number>;
}

/** Whether the expression is 0 for all values of the variables. */
export function isZero({ constant, terms }: LinearExpression): boolean {
  return constant === 0 && terms.size === 0;
}
