import { invariant } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { CachedState, StateReader } from "#engine/state/index.ts";
import { type EncodedClass, executableClassOf } from "#protocol/chain/index.ts";

/** Storage variable and its new value. */
export interface StorageWrite {
  readonly contractAddress: Felt;
  readonly key: Felt;
  readonly value: Felt;
}

/** Class that a change declares. */
export interface ClassChange {
  readonly encoded: EncodedClass;
  /** 0 for a Cairo 0 class. */
  readonly compiledClassHash: Felt;
}

/** Contract and its new class. */
export interface ContractClassChange {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
}

/** Values of the state that a developer sets without a transaction. All of them are set, or none. */
export interface StateChange {
  /** Classes to declare; those that the state has stay as they are. */
  readonly classes: readonly ClassChange[];
  /** Classes that the state must have after {@link classes}, with this compiled class hash. */
  readonly declared: readonly { readonly classHash: Felt; readonly compiledClassHash: Felt }[];
  /** Addresses without a contract. */
  readonly deployed: readonly ContractClassChange[];
  /** Addresses with a contract. */
  readonly replaced: readonly ContractClassChange[];
  readonly storage: readonly StorageWrite[];
  readonly nonces: readonly { readonly contractAddress: Felt; readonly nonce: Felt }[];
  /** Whether contracts whose storage is written must exist. */
  readonly onlyDeployed: boolean;
}

/** Reason why a change cannot be applied. */
export interface ChangeRefusal {
  readonly kind: "refused";
  /** `contract`: no contract at an address; `class`: a class is not declared; `value`: a value is wrong. */
  readonly code: "contract" | "class" | "value";
  /** Member of the change with the wrong value, and its index. */
  readonly at: readonly [member: keyof StateChange, index: number];
  readonly reason: string;
}

/** Change that sets nothing. */
export const NO_CHANGE: StateChange = {
  classes: [],
  declared: [],
  deployed: [],
  replaced: [],
  storage: [],
  nonces: [],
  onlyDeployed: false,
};

/** Returns the number of values that a change sets. */
export function changeSize(change: StateChange): number {
  const { classes, deployed, replaced, storage, nonces } = change;
  return classes.length + deployed.length + replaced.length + storage.length + nonces.length;
}

/**
 * Returns why a change cannot be applied to a state; `undefined` if it can.
 *
 * @throws {OriginError} when a value of the fork's origin is missing
 */
export function changeRefusal(state: StateReader, change: StateChange): ChangeRefusal | undefined {
  return new ChangeCheck(state, change).refusal();
}

/**
 * Applies a change that {@link changeRefusal} accepts.
 *
 * @returns the classes that the state did not have
 * @throws {OriginError} when a value of the fork's origin is missing; a part may be written then
 */
export function applyChange(state: CachedState, change: StateChange): readonly EncodedClass[] {
  const declared: EncodedClass[] = [];
  for (const { encoded, compiledClassHash } of change.classes) {
    if (state.executableClass(encoded.classHash) !== undefined) continue;
    const executable = executableClassOf(encoded);
    invariant(executable !== undefined, "a class of a change can be executed");
    state.declareClass(executable);
    if (compiledClassHash !== 0n) state.setCompiledClassHash(encoded.classHash, compiledClassHash);
    declared.push(encoded);
  }
  for (const { contractAddress, classHash } of [...change.deployed, ...change.replaced]) {
    state.setClassHash(contractAddress, classHash);
  }
  for (const { contractAddress, key, value } of change.storage) {
    state.setStorage(contractAddress, key, value);
  }
  for (const { contractAddress, nonce } of change.nonces) state.setNonce(contractAddress, nonce);
  return declared;
}

class ChangeCheck {
  readonly #state: StateReader;
  readonly #change: StateChange;
  /** Compiled class hashes by class hash, of the classes that the change brings. */
  readonly #brought: ReadonlyMap<Felt, Felt>;
  readonly #deployed: ReadonlySet<Felt>;

  constructor(state: StateReader, change: StateChange) {
    this.#state = state;
    this.#change = change;
    this.#brought = new Map(
      change.classes.map(({ encoded, compiledClassHash }) => [
        encoded.classHash,
        compiledClassHash,
      ]),
    );
    this.#deployed = new Set(change.deployed.map(({ contractAddress }) => contractAddress));
  }

  refusal(): ChangeRefusal | undefined {
    const { classes, declared, deployed, replaced, storage, nonces, onlyDeployed } = this.#change;
    return (
      first("classes", classes, ({ encoded }) => unexecutable(encoded)) ??
      first("declared", declared, (claim) => this.#wrongClaim(claim)) ??
      first("deployed", deployed, (one) => this.#isUsed(one) ?? this.#lacksClass(one.classHash)) ??
      first("replaced", replaced, (one) => this.#isEmpty(one) ?? this.#lacksClass(one.classHash)) ??
      first("storage", onlyDeployed ? storage : [], (one) => this.#isEmpty(one)) ??
      first("nonces", nonces, (one) => this.#isEmpty(one))
    );
  }

  #wrongClaim({ classHash, compiledClassHash }: StateChange["declared"][number]): Found {
    const lacking = this.#lacksClass(classHash);
    if (lacking !== undefined) return lacking;
    const known = this.#state.executableClass(classHash) !== undefined;
    const actual = known ? this.#state.compiledClassHashOf(classHash) : undefined;
    const brought = this.#brought.get(classHash);
    if (compiledClassHash === actual || compiledClassHash === brought) return undefined;
    const named = (hash: Felt | undefined): string =>
      hash === undefined || hash === 0n
        ? "a Cairo 0 class, without a compiled class hash"
        : `a class with compiled class hash ${hexFromFelt(hash)}`;
    const is = named(actual ?? brought);
    return ["value", `class ${hexFromFelt(classHash)} is ${is}, not ${named(compiledClassHash)}`];
  }

  #lacksClass(classHash: Felt): Found {
    if (this.#brought.has(classHash)) return undefined;
    if (this.#state.executableClass(classHash) !== undefined) return undefined;
    return ["class", `class ${hexFromFelt(classHash)} is not declared`];
  }

  #isUsed({ contractAddress }: ContractClassChange): Found {
    if (this.#state.classHashAt(contractAddress) === 0n) return undefined;
    return ["value", `address ${hexFromFelt(contractAddress)} has a contract already`];
  }

  #isEmpty({ contractAddress }: { readonly contractAddress: Felt }): Found {
    if (this.#deployed.has(contractAddress)) return undefined;
    if (this.#state.classHashAt(contractAddress) !== 0n) return undefined;
    return ["contract", `address ${hexFromFelt(contractAddress)} has no contract`];
  }
}

function unexecutable(encoded: EncodedClass): Found {
  if (executableClassOf(encoded) !== undefined) return undefined;
  return ["value", `class ${hexFromFelt(encoded.classHash)} cannot be executed`];
}

type Found = readonly [code: ChangeRefusal["code"], reason: string] | undefined;

function first<T>(
  member: keyof StateChange,
  values: readonly T[],
  check: (value: T) => Found,
): ChangeRefusal | undefined {
  for (const [index, value] of values.entries()) {
    const found = check(value);
    if (found === undefined) continue;
    const [code, reason] = found;
    return { kind: "refused", code, at: [member, index], reason };
  }
  return undefined;
}
