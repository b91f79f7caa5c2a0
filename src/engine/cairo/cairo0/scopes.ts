import type { Felt } from "#base/primitives/index.ts";
import { HintFailed } from "./hint-failure.ts";

/** Stack of Python scopes with variables, shared by the hints of a run. */
export class HintScopes {
  readonly #scopes: Map<string, Felt>[] = [new Map()];

  /** Whether all entered scopes have been exited. */
  get isMain(): boolean {
    return this.#scopes.length === 1;
  }

  enter(variables: Readonly<Record<string, Felt>> = {}): void {
    this.#scopes.push(new Map(Object.entries(variables)));
  }

  /** @throws {HintFailed} in the main scope */
  exit(): void {
    if (this.isMain) throw new HintFailed("Cannot exit main scope.");
    this.#scopes.pop();
  }

  /** @throws {HintFailed} when the current scope has no such variable */
  get(name: string): Felt {
    const value = this.#scopes.at(-1)?.get(name);
    if (value === undefined) {
      throw new HintFailed(`Variable ${name} not present in current execution scope`);
    }
    return value;
  }

  set(name: string, value: Felt): void {
    this.#scopes.at(-1)?.set(name, value);
  }
}
