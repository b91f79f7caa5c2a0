import type { MutableStateDiff } from "#protocol/chain/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ReadGenesisClass } from "./genesis-class.ts";
import { tokenMetadata } from "./token-variables.ts";

const LOW_128 = (1n << 128n) - 1n;
const U256_BOUND = 1n << 256n;

/** Balances, supplies and metadata of the two fee tokens, written into their storage. */
export class GenesisBalances {
  readonly #diff: MutableStateDiff;
  readonly #addresses: Readonly<Record<"strk" | "eth", Felt>>;
  readonly #amounts = { strk: new Map<Felt, bigint>(), eth: new Map<Felt, bigint>() };

  /** @param diff - contains the contracts of the genesis section and their storage */
  constructor(diff: MutableStateDiff, config: ChainConfig) {
    this.#diff = diff;
    this.#addresses = {
      strk: config.nativeFeeTokenAddress,
      eth: config.parentFeeTokenAddress,
    };
  }

  /** Adds to a balance; {@link finish} writes it. */
  add(token: "strk" | "eth", address: Felt, amount: bigint): void {
    const amounts = this.#amounts[token];
    amounts.set(address, (amounts.get(address) ?? 0n) + amount);
  }

  /**
   * Writes all balances, supplies and metadata. Variables set in the genesis section keep their values.
   *
   * @param classes - classes of the section, by class hash
   * @throws {ConfigError} when a token with balances has no contract, or its supply exceeds 2^256 - 1
   */
  finish(classes: ReadonlyMap<Felt, ReadGenesisClass>): void {
    for (const token of ["strk", "eth"] as const) {
      const contract = this.#addresses[token];
      const amounts = this.#amounts[token];
      const classHash = this.#diff.deployedContracts.get(contract);
      if (classHash === undefined) {
        if (amounts.size === 0) continue;
        throw new ConfigError(
          `genesis: balances of ${token} need the token's contract ${hexFromFelt(contract)} in genesis.contracts`,
        );
      }
      let supply = 0n;
      for (const [address, amount] of amounts) {
        supply += amount;
        this.#writeAmount(contract, storageVariableKey("ERC20_balances", address), amount);
      }
      if (supply >= U256_BOUND) {
        throw new ConfigError(`genesis: the balances of ${token} add up to more than 2^256 - 1`);
      }
      this.#writeAmount(contract, storageVariableKey("ERC20_total_supply"), supply);
      const used = classes.get(classHash);
      if (used === undefined) continue;
      for (const [key, value] of tokenMetadata(token, used)) {
        writeDefault(this.#diff, contract, key, value);
      }
    }
  }

  #writeAmount(contract: Felt, key: Felt, amount: bigint): void {
    writeCell(this.#diff, contract, key, amount & LOW_128);
    writeCell(this.#diff, contract, key + 1n, amount >> 128n);
  }
}

/**
 * Writes a storage variable, except zeros: on a new chain they change nothing, and a state diff omits them.
 */
export function writeCell(diff: MutableStateDiff, address: Felt, key: Felt, value: Felt): void {
  if (value === 0n) return;
  let cells = diff.storageDiffs.get(address);
  if (cells === undefined) diff.storageDiffs.set(address, (cells = new Map()));
  cells.set(key, value);
}

/** Calls {@link writeCell} unless the diff already sets the variable. */
export function writeDefault(diff: MutableStateDiff, address: Felt, key: Felt, value: Felt): void {
  if (diff.storageDiffs.get(address)?.has(key) === true) return;
  writeCell(diff, address, key, value);
}
