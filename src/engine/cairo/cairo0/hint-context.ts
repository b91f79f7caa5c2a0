import type { LegacyHint, LegacyProgram, LegacyReference } from "#protocol/chain/index.ts";
import type { Address, CellValue, VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { failureText } from "../failure-text.ts";
import { HintFailed } from "./hint-failure.ts";
import { referenceAddress, referenceValue } from "./references.ts";
import type { HintScopes } from "./scopes.ts";
import type { Signatures } from "./signatures.ts";

/** Exclusive upper bound of values that the range check builtin accepts: 2^128. */
export const RANGE_CHECK_BOUND: bigint = 1n << 128n;

/** Kernel, program, scopes and signatures that all Cairo 0 hints of a run share. */
export interface HintEnvironment {
  readonly kernel: VmKernel;
  readonly program: LegacyProgram;
  readonly scopes: HintScopes;
  readonly signatures: Signatures;
}

/**
 * One execution of a Cairo 0 hint, with access to its variables, memory and scopes.
 *
 * All methods throw {@link HintFailed} with the text of the reference machine (cairo-vm 3.2.0,
 * `hint_errors.rs`).
 */
export class LegacyHintContext {
  readonly #environment: HintEnvironment;
  readonly #hint: LegacyHint;

  constructor(environment: HintEnvironment, hint: LegacyHint) {
    this.#environment = environment;
    this.#hint = hint;
  }

  get scopes(): HintScopes {
    return this.#environment.scopes;
  }

  get signatures(): Signatures {
    return this.#environment.signatures;
  }

  #reference(name: string): LegacyReference {
    const index = this.#hint.variables.get(name);
    const reference = this.#environment.program.references[index ?? -1];
    if (reference === undefined) throw new HintFailed(`Unknown identifier ${name}`);
    return reference;
  }

  /** Value of `ids.name`. */
  value(name: string): Felt | Address {
    const { kernel } = this.#environment;
    const value = referenceValue(kernel, this.#reference(name), this.#hint.apTracking);
    if (value === undefined) throw new HintFailed(`Unknown identifier ${name}`);
    return value;
  }

  /** Integer value of `ids.name`. */
  felt(name: string): Felt {
    const value = this.value(name);
    if (typeof value === "bigint") return value;
    throw new HintFailed(`Expected ids.${name} to be an Integer value`);
  }

  /** Address stored in `ids.name`. */
  pointer(name: string): Address {
    const value = this.value(name);
    if (typeof value === "object") return value;
    throw new HintFailed(`Expected ids.${name} to be a Relocatable value`);
  }

  /** Address of `ids.name` itself; for a struct, of its first member. */
  addressOf(name: string): Address {
    const { kernel } = this.#environment;
    const at = referenceAddress(kernel, this.#reference(name), this.#hint.apTracking);
    if (at === undefined) throw new HintFailed(`Unknown identifier ${name}`);
    return at;
  }

  /** Integer in a member of the struct `ids.name`, which is at `base`. */
  member(name: string, member: string, base: Address, distance: number): Felt {
    const value = this.read({ segment: base.segment, offset: base.offset + distance });
    if (typeof value === "bigint") return value;
    throw new HintFailed(`ids.${name} has no member ${member} or it is of incorrect type`);
  }

  set(name: string, value: Felt | Address): void {
    this.write(this.addressOf(name), value);
  }

  setAp(value: Felt): void {
    this.write({ segment: 1, offset: this.#environment.kernel.ap }, value);
  }

  read(address: Address): CellValue {
    return this.#environment.kernel.read(address);
  }

  /** Writes the cell at `base + distance`. */
  write(base: Address, value: Felt | Address, distance = 0): void {
    const { kernel } = this.#environment;
    const address = { segment: base.segment, offset: base.offset + distance };
    if (!kernel.write(address, value)) throw new HintFailed(failureText(kernel.failure()));
  }

  /** Constant with this last name component. */
  constant(name: string): Felt {
    for (const [fullName, value] of this.#environment.program.constants) {
      if (fullName.slice(fullName.lastIndexOf(".") + 1) === name) return value;
    }
    throw new HintFailed(`Missing constant: ${name}`);
  }

  /** Constant with this full name; `undefined` if missing. */
  optionalConstant(fullName: string): Felt | undefined {
    return this.#environment.program.constants.get(fullName);
  }

  /** Constant with this full name. @param shown - its name in the error text */
  constantAt(fullName: string, shown: string = fullName): Felt {
    const value = this.optionalConstant(fullName);
    if (value === undefined) throw new HintFailed(`Missing constant: ${shown}`);
    return value;
  }

  /** Fails the hint when the program does not use the builtin. */
  requireBuiltin(name: "range_check" | "ecdsa"): void {
    if (!this.#environment.program.builtins.includes(name)) {
      throw new HintFailed(`Expected ${name} builtin to be present`, true);
    }
  }
}
