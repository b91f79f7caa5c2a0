import { readFileSync, statSync } from "node:fs";
import type { ChainConfig, GenesisClassSource, ShippedContract } from "#protocol/config/index.ts";
import { ConfigError, invariant } from "#base/errors/index.ts";
import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import {
  buildGenesis,
  type ClassSource,
  type ClassText,
  type KnownHashes,
} from "#services/sequencer/index.ts";
import artifacts from "../../../../../contracts/l2/artifacts.json";
import accountCasm from "../../../../../contracts/l2/build/account.casm.json" with { type: "file" };
import accountSierra from "../../../../../contracts/l2/account.sierra.json" with { type: "file" };
import erc20Casm from "../../../../../contracts/l2/build/erc20.casm.json" with { type: "file" };
import erc20Sierra from "../../../../../contracts/l2/erc20.sierra.json" with { type: "file" };
import bridgeCasm from "../../../../../contracts/l2/build/token_bridge.casm.json" with { type: "file" };
import bridgeSierra from "../../../../../contracts/l2/token_bridge.sierra.json" with { type: "file" };
import deployerCasm from "../../../../../contracts/l2/build/universal_deployer.casm.json" with { type: "file" };
import deployerSierra from "../../../../../contracts/l2/universal_deployer.sierra.json" with { type: "file" };

type Artifact = (typeof artifacts)["account"];

/**
 * Paths of a class and its compiled code, inside the executable if the program is compiled, and the hashes from
 * the index next to the class: computing them takes as long as a tenth of the start of a new development chain.
 */
type Shipped = readonly [sierra: string, casm: string, artifact: Artifact];

// TypeScript types a JSON import by its content, but an import with type `file` is a path.
const path = (imported: unknown): string => imported as string;

const ERC20: Shipped = [path(erc20Sierra), path(erc20Casm), artifacts.erc20];

const SHIPPED: Readonly<Record<ShippedContract, Shipped>> = {
  account: [path(accountSierra), path(accountCasm), artifacts.account],
  fee_token: ERC20,
  erc20: ERC20,
  universal_deployer: [path(deployerSierra), path(deployerCasm), artifacts.universal_deployer],
  token_bridge: [path(bridgeSierra), path(bridgeCasm), artifacts.token_bridge],
};

function hashesOf(artifact: Artifact): KnownHashes {
  return {
    classHash: felt(artifact.classHash),
    compiledClassHashes: {
      poseidon: felt(artifact.compiledClassHashV1),
      blake: felt(artifact.compiledClassHashV2),
    },
  };
}

function felt(text: string): Felt {
  const value = feltFromHex(text);
  invariant(value !== undefined, "artifacts.json holds felts");
  return value;
}

/** Maximum size of a class file: several times the largest class that the network accepts. */
const MAX_CLASS_BYTES = 64 * 1024 * 1024;

function readOperatorFile(file: string): string {
  try {
    const stat = statSync(file);
    if (stat.size > MAX_CLASS_BYTES || !stat.isFile()) {
      throw new ConfigError(`${file} is not a file of at most ${MAX_CLASS_BYTES} bytes`);
    }
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError(`${file} cannot be read`, [], { cause });
  }
}

/** Converts a file's text to the texts of a class; `file` is its path, for errors. */
type ReadFile = (text: string, file: string) => ClassText;

/**
 * Returns the source of a configuration's genesis classes: the program, or the operator's files. Sierra
 * classes without compiled code are compiled. The source throws a {@link ConfigError} for a text that is
 * missing, too long or cannot be compiled.
 */
export async function genesisClassSource({
  genesis,
}: Pick<ChainConfig, "genesis">): Promise<ClassSource> {
  // Loaded lazily, because most chains start without the compiler.
  const compiler = genesis?.classes.some(({ source }) => lacksCasm(source))
    ? await import("./genesis-compiler.ts")
    : null;
  const read: ReadFile = (text, file) => {
    invariant(compiler !== null, "a class of another configuration");
    return compiler.genesisClassText(text, file);
  };
  return (source) => textOf(source, read);
}

function lacksCasm(source: GenesisClassSource): boolean {
  return source.kind === "files" && source.casmPath === null;
}

function textOf(source: GenesisClassSource, read: ReadFile): ClassText {
  if (source.kind === "files") {
    const { sierraPath, casmPath } = source;
    const text = readOperatorFile(sierraPath);
    if (casmPath === null) return read(text, sierraPath);
    return { classJson: text, casmJson: readOperatorFile(casmPath) };
  }
  const [sierra, casm, artifact] = SHIPPED[source.builtin];
  return {
    classJson: readFileSync(sierra, "utf8"),
    casmJson: readFileSync(casm, "utf8"),
    hashes: hashesOf(artifact),
  };
}

/**
 * Builds the genesis state of a configuration and discards it, so that errors are found before a new chain
 * is created.
 *
 * @throws {ConfigError} as {@link buildGenesis}
 */
export async function checkGenesis(config: ChainConfig): Promise<void> {
  buildGenesis(config, null, await genesisClassSource(config), { faucet: false });
}
