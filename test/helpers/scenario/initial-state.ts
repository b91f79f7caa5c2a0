import { casmHashFunctionOf, type ExecutableClass } from "#protocol/chain/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { balanceHighKey, balanceKey, type FeeTokens } from "#engine/execution/index.ts";
import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { type LoadedClass, loadClass } from "./classes.ts";
import type { Scenario } from "./input.ts";

/** The state before the block. */
export class InitialState implements StateReader {
  readonly storage = new Map<Felt, Map<Felt, Felt>>();
  readonly nonces = new Map<Felt, Felt>();
  readonly classHashes = new Map<Felt, Felt>();
  readonly compiledClassHashes = new Map<Felt, Felt>();
  readonly classes = new Map<Felt, ExecutableClass>();

  storageAt(contractAddress: Felt, key: Felt): Felt {
    return this.storage.get(contractAddress)?.get(key) ?? 0n;
  }

  nonceAt(contractAddress: Felt): Felt {
    return this.nonces.get(contractAddress) ?? 0n;
  }

  classHashAt(contractAddress: Felt): Felt {
    return this.classHashes.get(contractAddress) ?? 0n;
  }

  compiledClassHashOf(classHash: Felt): Felt {
    return this.compiledClassHashes.get(classHash) ?? 0n;
  }

  executableClass(classHash: Felt): ExecutableClass | undefined {
    return this.classes.get(classHash);
  }

  /** Sets one storage cell. */
  store(contractAddress: Felt, key: Felt, value: Felt): void {
    let cells = this.storage.get(contractAddress);
    if (cells === undefined) this.storage.set(contractAddress, (cells = new Map()));
    cells.set(key, value);
  }
}

/** The member name of a JSON map as a felt. */
function keyOf(name: string, at: string): Felt {
  const value = feltFromHex(name);
  if (value === undefined) throw new DecodeError(at, "felt as a member name");
  return value;
}

/** Builds the state of a scenario and lists its classes. */
export function initialState(
  scenario: Scenario,
  base: string,
  version: string,
  tokens: FeeTokens,
): { readonly state: InitialState; readonly classes: readonly LoadedClass[] } {
  const state = new InitialState();
  const classes = (scenario.classes ?? []).map((paths, index) => {
    const loaded = loadClass(paths, base, `classes[${index}]`);
    state.classes.set(loaded.classHash, loaded.executable);
    const isBlake =
      (paths.state_hash ?? (casmHashFunctionOf(version) === "blake" ? "v2" : "v1")) === "v2";
    const compiled = isBlake ? loaded.blakeHash : loaded.poseidonHash;
    if (compiled !== undefined) state.compiledClassHashes.set(loaded.classHash, compiled);
    return loaded;
  });
  for (const [name, contract] of scenario.state?.contracts ?? []) {
    const address = keyOf(name, `state.contracts.${name}`);
    if (contract.class_hash !== undefined) state.classHashes.set(address, contract.class_hash);
    state.nonces.set(address, contract.nonce ?? 0n);
    for (const [key, value] of contract.storage ?? []) {
      state.store(address, keyOf(key, `state.contracts.${name}.storage.${key}`), value);
    }
  }
  for (const { address, token, amount } of scenario.state?.balances ?? []) {
    const tokenAddress = token === "strk" ? tokens.strk : tokens.eth;
    state.store(tokenAddress, balanceKey(address), amount & ((1n << 128n) - 1n));
    state.store(tokenAddress, balanceHighKey(address), amount >> 128n);
  }
  for (const [number, hash] of scenario.block.block_hashes ?? []) {
    state.store(1n, BigInt(number), hash);
  }
  return { state, classes };
}
