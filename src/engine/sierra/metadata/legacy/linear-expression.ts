/** A sum of a constant and multiples of variables; each variable that is named has some. */
export interface LinearExpression {
  readonly constant: number;
  /** Per variable, how many of it, in an order that code depends on. */
  readonly terms: ReadonlyMap<number, number>;
}

/** Whether it is 0 whatever the variables are. */
export function isZero({ constant, terms }: LinearExpression): boolean {
  return constant === 0 && terms.size === 0;
}
