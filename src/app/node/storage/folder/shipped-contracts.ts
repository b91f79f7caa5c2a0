import { readFileSync, statSync } from "node:fs";
import type { ChainConfig, GenesisClassSource } from "#protocol/config/index.ts";
import { ConfigError, invariant } from "#base/errors/index.ts";
import { buildGenesis, type ClassSource, type ClassText } from "#services/sequencer/index.ts";
import { shippedClass } from "../../setup/shipped-classes.ts";

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
  return shippedClass(source.builtin);
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
