import { InvalidParamsError } from "../decode-params.ts";

/**
 * Rejects a number outside of limits that depend on the chain.
 *
 * @throws {InvalidParamsError} naming the parameter and the limits
 */
export function requireFrom(path: string, value: number, min: number, max: number): void {
  if (value >= min && value <= max) return;
  throw new InvalidParamsError(path, `integer from ${min} to ${max}`, String(value));
}
