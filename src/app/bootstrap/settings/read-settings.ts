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
import { type Environment, type GivenText, givenTexts } from "./given-texts.ts";
import {
  DEVELOPMENT_CHAIN_ID,
  DEVELOPMENT_KEYS,
  type Variable,
  type VariableName,
  VARIABLES,
} from "./variables.ts";

/** What a chain is set up with. Keys are secret, and addresses of nodes may hold secrets. */
export interface BootstrapSettings {
  readonly appChainId: string;
  readonly l1ChainId: number;
  readonly l1Url: string;
  readonly sequencerUrl: string;
  readonly l1Key: Hex;
  /** What {@link l1Key} gives. */
  readonly l1Deployer: Hex;
  readonly l2Key: Felt;
  readonly l2PublicKey: Felt;
  /** Address of the account that {@link l2Key} gives. */
  readonly l2Deployer: Felt;
  /** What the native fee token's address is to be; `null`: what comes out. */
  readonly nativeFeeToken: Felt | null;
  /** `null`: the deployer. */
  readonly operator: Hex | null;
  readonly programHash: Felt;
  readonly configHashVersion: string;
  /** Bound of waiting for a transaction. */
  readonly transactionWaitMs: number;
  /** Bound of waiting for a message from L1 to have its effect on L2. */
  readonly crossChainWaitMs: number;
  /** Whom the chain is handed over to, and who verifies it; `null`: a development chain. */
  readonly production: ProductionSettings | null;
}

/** What a chain has that is no development chain. */
export interface ProductionSettings {
  readonly verifier: Hex;
  readonly l1Multisig: Hex;
  readonly l2Multisig: Felt;
}

/** Settings, and what there is to say about them. */
export interface ReadSettings {
  readonly settings: BootstrapSettings;
  readonly warnings: readonly string[];
}

/**
 * The settings out of the environment. No value is shown in what is found: a secret may stand in any
 * variable's place.
 *
 * @param isDevelopment - no verifier and no multisigs are needed, and none is used
 * @throws {ConfigError} with all findings
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

/** What of the settings a chain's bridges are used with. */
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
 * @throws {ConfigError} with all findings
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
      "is that of a public network, where nothing may be set up with --dev",
    );
  }
  if (!isDevelopment) return { verifier, l1Multisig, l2Multisig };
  for (const name of ["VERIFIER_ADDRESS", "L1_MULTISIG_ADDRESS", "L2_MULTISIG_ADDRESS"] as const) {
    if (reader.isGiven(name)) reader.warn(`${name} has no effect with --dev`);
  }
  return null;
}

function lowered(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}

/** From this length on no other value has a key in it by chance. */
const TELLING_LENGTH = 16;

/** Reads variable after variable and keeps what is wrong. */
class SettingsReader {
  readonly #issues: ConfigIssue[] = [];
  readonly #warnings: string[] = [];
  readonly #texts: Map<VariableName, GivenText>;
  readonly #isDevelopment: boolean;

  constructor(environment: Environment, isDevelopment: boolean) {
    this.#isDevelopment = isDevelopment;
    this.#texts = new Map(givenTexts(environment, this.#issues));
    this.#findSecretsElsewhere();
  }

  isGiven(name: VariableName): boolean {
    return this.#texts.has(name);
  }

  warn(text: string): void {
    this.#warnings.push(text);
  }

  find(name: VariableName, message: string): void {
    this.#issues.push({ path: this.#texts.get(name)?.from ?? name, line: 0, message });
  }

  /** The value of a variable; `undefined` when there is none, which is a finding if it is required. */
  read<T>(name: VariableName, form: (text: string) => T | undefined): T | undefined {
    const { meaning, expected, fallback } = VARIABLES[name];
    const text = this.#texts.get(name)?.text ?? fallback;
    if (text === null) {
      if (this.#isRequired(VARIABLES[name])) {
        this.find(name, `is missing: ${meaning}; expected ${expected}`);
      }
      return undefined;
    }
    // A file that could not be read is a finding already.
    if (text === "") return undefined;
    const value = form(text);
    if (value === undefined) {
      this.find(name, `is malformed: ${meaning}; expected ${expected}`);
    }
    return value;
  }

  /** On a development chain keys that are not given are those that everybody knows; elsewhere they are refused. */
  useDevelopmentKeys(l1ChainId: number): void {
    for (const name of ["ETH_PRIV_KEY", "ROLLUP_PRIV_KEY"] as const) {
      const given = this.#texts.get(name);
      const text = DEVELOPMENT_KEYS[name];
      if (l1ChainId !== DEVELOPMENT_CHAIN_ID) {
        const isKnown = given !== undefined && sameNumber(given.text, text);
        if (isKnown && l1ChainId > 0) {
          this.find(
            name,
            `is a key that everybody knows: only for L1 with chain id ${DEVELOPMENT_CHAIN_ID}`,
          );
        }
      } else if (given === undefined) {
        this.#texts.set(name, { from: name, text });
        this.warn(`${name} is not given: a key that everybody knows is used, for development only`);
      }
    }
  }

  /** @throws {ConfigError} when anything was found; @returns warnings */
  done(): readonly string[] {
    if (this.#issues.length === 0) return this.#warnings;
    throw new ConfigError("the settings of the bootstrap are wrong", this.#issues);
  }

  #isRequired({ required }: Variable): boolean {
    if (required === "unless --dev") return !this.#isDevelopment;
    return required !== "never";
  }

  /** A key that also stands where values are shown would be told. */
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
