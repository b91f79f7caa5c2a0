import { selectorFromName } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { MINT_FUNCTIONS } from "#services/sequencer/index.ts";

const [DEFAULT, ...OTHERS] = MINT_FUNCTIONS.map(selectorFromName) as [Felt, ...Felt[]];

/** Finds the function of a token that gives some to a recipient; its arguments are recipient and amount. */
export interface GivingSelectors {
  of(token: Felt, state: Pick<StateReader, "classHashAt" | "executableClass">): Felt;
}

/**
 * {@link GivingSelectors} of a fork, whose faucet may not mint the origin's tokens: it transfers
 * those that it got in the first block.
 */
export const TRANSFER: GivingSelectors = { of: () => selectorFromName("transfer") };

/** Finds the mint function of a token: token classes from files may use a different name. */
export class MintSelectors implements GivingSelectors {
  /** One entry per class: there are two tokens, and their classes rarely change. */
  readonly #byClass = new Map<Felt, Felt>();

  /**
   * @returns the selector of the first of `MINT_FUNCTIONS` that the token's class has; that of the first
   *   entry if it has none
   */
  of(token: Felt, state: Pick<StateReader, "classHashAt" | "executableClass">): Felt {
    const classHash = state.classHashAt(token);
    const known = this.#byClass.get(classHash);
    if (known !== undefined) return known;
    const found = selectorIn(classHash, state);
    this.#byClass.set(classHash, found);
    return found;
  }
}

function selectorIn(classHash: Felt, state: Pick<StateReader, "executableClass">): Felt {
  const executable = state.executableClass(classHash);
  if (executable === undefined) return DEFAULT;
  const { EXTERNAL } = (executable.casm ?? executable.program).entryPoints;
  const selectors = new Set<Felt>(EXTERNAL.map(({ selector }) => selector));
  return [DEFAULT, ...OTHERS].find((selector) => selectors.has(selector)) ?? DEFAULT;
}
