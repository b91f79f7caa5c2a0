import { privateKeyToAddress } from "viem/accounts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";
import { publicKey } from "#protocol/crypto/index.ts";
import { accountAddress } from "../l2/account-address.ts";
import {
  type Hex,
  readChainId,
  readL1Address,
  readL1ChainId,
  readL1Key,
  readL2Address,
  readL2Key,
  readUrl,
  readVersionName,
  readWaitMs,
} from "./forms.ts";
import { type Environment, type VariableText, variableTexts } from "./variable-texts.ts";
import {
  DEVELOPMENT_CHAIN_ID,
  DEVELOPMENT_KEYS,
  type Variable,
  type VariableName,
  VARIABLES,
} from "./variables.ts";

/** Settings of a bootstrap. Keys are secret, and node addresses may contain secrets. */
export interface BootstrapSettings {
  readonly appChainId: string;
  readonly l1ChainId: number;
  readonly l1Url: string;
  readonly sequencerUrl: string;
  readonly l1Key: Hex;
  /** Address derived from {@link l1Key}. */
  readonly l1Deployer: Hex;
  readonly l2Key: Felt;
  readonly l2PublicKey: Felt;
  /** Account address derived from {@link l2Key}. */
  readonly l2Deployer: Felt;
  /** Expected address of the native fee token; `null` accepts any. */
  readonly nativeFeeToken: Felt | null;
  /** Account that may update the state; `null` for the default. */
  readonly operator: Hex | null;
  readonly programHash: Felt;
  readonly configHashVersion: string;
  /** Deadline for a transaction. */
  readonly transactionWaitMs: number;
  /** Deadline for the effect of an L1 message on L2. */
  readonly crossChainWaitMs: number;
  /** Verifier and multisigs of a production chain; `null` for a development chain. */
  readonly production: ProductionSettings | null;
}

/** Settings that only a production chain has. */
export interface ProductionSettings {
  readonly verifier: Hex;
  readonly l1Multisig: Hex;
  readonly l2Multisig: Felt;
}

/** Settings with their warnings. */
export interface ReadSettings {
  readonly settings: BootstrapSettings;
  readonly warnings: readonly string[];
}

/**
 * Reads the settings from the environment. Issues never show values: a secret may have been set in any
 * variable.
 *
 * @param isDevelopment - whether verifier and multisigs are neither required nor used
 * @throws {ConfigError} with all issues
 */
export function readSettings(environment: Environment, isDevelopment: boolean): ReadSettings {
  const reader = new SettingsReader(environment, isDevelopment);
  const l1ChainId = reader.read("ETH_CHAIN_ID", readL1ChainId) ?? 0;
  reader.useDevelopmentKeys(l1ChainId);
  const l1Key = reader.read("ETH_PRIV_KEY", readL1Key);
  const l2Key = reader.read("ROLLUP_PRIV_KEY", readL2Key);
  const l1Deployer = l1Key === undefined ? "0x" : lowered(privateKeyToAddress(l1Key));
  const l2PublicKey = l2Key === undefined ? 0n : publicKey(l2Key);
  const l2Deployer = accountAddress(l2PublicKey);
  const givenL1Deployer = reader.read("L1_DEPLOYER_ADDRESS", readL1Address);
  if (givenL1Deployer !== undefined && l1Key !== undefined && givenL1Deployer !== l1Deployer) {
    reader.find("L1_DEPLOYER_ADDRESS", `is not the address that ETH_PRIV_KEY gives, ${l1Deployer}`);
  }
  const givenL2Deployer = reader.read("L2_DEPLOYER_ADDRESS", readL2Address);
  if (givenL2Deployer !== undefined && l2Key !== undefined && givenL2Deployer !== l2Deployer) {
    reader.find(
      "L2_DEPLOYER_ADDRESS",
      `is not the address that ROLLUP_PRIV_KEY gives, ${hexFromFelt(l2Deployer)}`,
    );
  }
  const settings: BootstrapSettings = {
    appChainId: reader.read("APP_CHAIN_ID", readChainId) ?? "",
    l1ChainId,
    l1Url: reader.read("ETH_RPC", readUrl) ?? "",
    sequencerUrl: reader.read("ROLLUP_SEQ_URL", readUrl) ?? "",
    l1Key: l1Key ?? "0x",
    l1Deployer,
    l2Key: l2Key ?? 0n,
    l2PublicKey,
    l2Deployer,
    nativeFeeToken: reader.read("FEE_TOKEN_ADDRESS", readL2Address) ?? null,
    operator: reader.read("OPERATOR_ADDRESS", readL1Address) ?? null,
    programHash: reader.read("SN_OS_PROGRAM_HASH", feltFromHex) ?? 0n,
    configHashVersion: reader.read("SN_OS_CONFIG_HASH_VERSION", readVersionName) ?? "",
    transactionWaitMs: reader.read("L1_WAIT_TIME", readWaitMs) ?? 0,
    crossChainWaitMs: reader.read("CROSS_CHAIN_WAIT_TIME", readWaitMs) ?? 0,
    production: productionOf(reader, isDevelopment, l1ChainId),
  };
  return { settings, warnings: reader.done() };
}

/** Settings that the bridge commands use. */
export type BridgeSettings = Pick<
  BootstrapSettings,
  | "appChainId"
  | "l1ChainId"
  | "l1Url"
  | "sequencerUrl"
  | "l1Key"
  | "l2Key"
  | "l2PublicKey"
  | "l2Deployer"
  | "transactionWaitMs"
  | "crossChainWaitMs"
>;

/**
 * Reads the variables of the bridge commands: a subset of the bootstrap's, with the keys of any user.
 *
 * @throws {ConfigError} with all issues
 */
export function readBridgeSettings(environment: Environment): {
  readonly settings: BridgeSettings;
  readonly warnings: readonly string[];
} {
  const reader = new SettingsReader(environment, true);
  const l1ChainId = reader.read("ETH_CHAIN_ID", readL1ChainId) ?? 0;
  reader.useDevelopmentKeys(l1ChainId);
  const l2Key = reader.read("ROLLUP_PRIV_KEY", readL2Key);
  const l2PublicKey = l2Key === undefined ? 0n : publicKey(l2Key);
  const settings = {
    appChainId: reader.read("APP_CHAIN_ID", readChainId) ?? "",
    l1ChainId,
    l1Url: reader.read("ETH_RPC", readUrl) ?? "",
    sequencerUrl: reader.read("ROLLUP_SEQ_URL", readUrl) ?? "",
    l1Key: reader.read("ETH_PRIV_KEY", readL1Key) ?? "0x",
    l2Key: l2Key ?? 0n,
    l2PublicKey,
    l2Deployer: accountAddress(l2PublicKey),
    transactionWaitMs: reader.read("L1_WAIT_TIME", readWaitMs) ?? 0,
    crossChainWaitMs: reader.read("CROSS_CHAIN_WAIT_TIME", readWaitMs) ?? 0,
  } as const;
  return { settings, warnings: reader.done() };
}

/** Ethereum and Sepolia. */
const PUBLIC_CHAINS: ReadonlySet<number> = new Set([1, 11_155_111]);

function productionOf(
  reader: SettingsReader,
  isDevelopment: boolean,
  l1ChainId: number,
): ProductionSettings | null {
  const verifier = reader.read("VERIFIER_ADDRESS", readL1Address) ?? "0x";
  const l1Multisig = reader.read("L1_MULTISIG_ADDRESS", readL1Address) ?? "0x";
  const l2Multisig = reader.read("L2_MULTISIG_ADDRESS", readL2Address) ?? 0n;
  if (verifier !== "0x" && verifier === l1Multisig) {
    reader.find("VERIFIER_ADDRESS", "is the same as L1_MULTISIG_ADDRESS");
  }
  if (isDevelopment && PUBLIC_CHAINS.has(l1ChainId)) {
    reader.find(
      "ETH_CHAIN_ID",
      "is the chain id of a public network, which cannot be used with --dev",
    );
  }
  if (!isDevelopment) return { verifier, l1Multisig, l2Multisig };
  for (const name of ["VERIFIER_ADDRESS", "L1_MULTISIG_ADDRESS", "L2_MULTISIG_ADDRESS"] as const) {
    if (reader.isSet(name)) reader.warn(`${name} has no effect with --dev`);
  }
  return null;
}

function lowered(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}

/** Minimum length of a key to search for inside other values; shorter ones could match by chance. */
const TELLING_LENGTH = 16;

/** Reads variables one by one and collects issues. */
class SettingsReader {
  readonly #issues: ConfigIssue[] = [];
  readonly #warnings: string[] = [];
  readonly #texts: Map<VariableName, VariableText>;
  readonly #isDevelopment: boolean;

  constructor(environment: Environment, isDevelopment: boolean) {
    this.#isDevelopment = isDevelopment;
    this.#texts = new Map(variableTexts(environment, this.#issues));
    this.#findSecretsElsewhere();
  }

  isSet(name: VariableName): boolean {
    return this.#texts.has(name);
  }

  warn(text: string): void {
    this.#warnings.push(text);
  }

  find(name: VariableName, message: string): void {
    this.#issues.push({ path: this.#texts.get(name)?.from ?? name, line: 0, message });
  }

  /** Returns the value of a variable; `undefined` when unset, which is an issue if it is required. */
  read<T>(name: VariableName, form: (text: string) => T | undefined): T | undefined {
    const { meaning, expected, fallback } = VARIABLES[name];
    const text = this.#texts.get(name)?.text ?? fallback;
    if (text === null) {
      if (this.#isRequired(VARIABLES[name])) {
        this.find(name, `is missing: ${meaning}; expected ${expected}`);
      }
      return undefined;
    }
    // An unreadable file has already been reported.
    if (text === "") return undefined;
    const value = form(text);
    if (value === undefined) {
      this.find(name, `is malformed: ${meaning}; expected ${expected}`);
    }
    return value;
  }

  /** On a development chain, unset keys default to publicly known ones; elsewhere known keys are refused. */
  useDevelopmentKeys(l1ChainId: number): void {
    for (const name of ["ETH_PRIV_KEY", "ROLLUP_PRIV_KEY"] as const) {
      const given = this.#texts.get(name);
      const text = DEVELOPMENT_KEYS[name];
      if (l1ChainId !== DEVELOPMENT_CHAIN_ID) {
        const isKnown = given !== undefined && sameNumber(given.text, text);
        if (isKnown && l1ChainId > 0) {
          this.find(
            name,
            `is a publicly known key: only for L1 with chain id ${DEVELOPMENT_CHAIN_ID}`,
          );
        }
      } else if (given === undefined) {
        this.#texts.set(name, { from: name, text });
        this.warn(`${name} is not set: a publicly known key is used, for development only`);
      }
    }
  }

  /** @returns the warnings @throws {ConfigError} with all issues */
  done(): readonly string[] {
    if (this.#issues.length === 0) return this.#warnings;
    throw new ConfigError("the settings of the bootstrap are wrong", this.#issues);
  }

  #isRequired({ required }: Variable): boolean {
    if (required === "unless --dev") return !this.#isDevelopment;
    return required !== "never";
  }

  /** Reports a key that also occurs in a value that may be shown. */
  #findSecretsElsewhere(): void {
    const entries = [...this.#texts];
    const secrets = entries.filter(([name]) => VARIABLES[name].isSecret);
    for (const [name, { text }] of entries) {
      if (VARIABLES[name].isSecret || text === "") continue;
      const secret = secrets.find(([, { text: key }]) =>
        key.length < TELLING_LENGTH ? key === text : text.includes(key),
      );
      if (secret !== undefined) this.find(name, `holds the secret of ${secret[1].from}`);
    }
  }
}

function sameNumber(text: string, other: string): boolean {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) && BigInt(text) === BigInt(other);
}
