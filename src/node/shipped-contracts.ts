import { readFileSync } from "node:fs";
import { ConfigError } from "#errors/index.ts";
import type { ClassSource, ClassText } from "#sequencer/index.ts";
import accountCasm from "../../contracts/l2/account.casm.json" with { type: "file" };
import accountSierra from "../../contracts/l2/account.sierra.json" with { type: "file" };
import erc20Casm from "../../contracts/l2/erc20.casm.json" with { type: "file" };
import erc20Sierra from "../../contracts/l2/erc20.sierra.json" with { type: "file" };
import deployerCasm from "../../contracts/l2/universal_deployer.casm.json" with { type: "file" };
import deployerSierra from "../../contracts/l2/universal_deployer.sierra.json" with { type: "file" };

/** Paths of class and compiled code, inside of the executable when compiled. */
type Files = readonly [sierra: string, casm: string];

// TypeScript types a JSON import by its content; as `file` it is a path.
const path = (imported: unknown): string => imported as string;

/** Contracts that ship with the program, by the names that a `genesis` section uses. */
const SHIPPED: Readonly<Record<string, Files>> = {
  account: [path(accountSierra), path(accountCasm)],
  fee_token: [path(erc20Sierra), path(erc20Casm)],
  erc20: [path(erc20Sierra), path(erc20Casm)],
  universal_deployer: [path(deployerSierra), path(deployerCasm)],
};

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new ConfigError(`${what}: ${file} can not be read`, [], { cause });
  }
}

/**
 * Text of a genesis class.
 *
 * @throws {ConfigError} for an unknown shipped contract, a missing file, or a class without compiled
 *   code
 */
export const shippedOrFile: ClassSource = (source, name): ClassText => {
  if (source.kind === "files") {
    if (source.casmPath === null) {
      throw new ConfigError(`genesis.classes.${name}: the file of the compiled class is missing`);
    }
    return {
      sierraJson: readText(source.sierraPath, `genesis.classes.${name}`),
      casmJson: readText(source.casmPath, `genesis.classes.${name}`),
    };
  }
  const files = SHIPPED[source.builtin];
  if (files === undefined) {
    const known = Object.keys(SHIPPED).join(", ");
    throw new ConfigError(
      `genesis.classes.${name}: there is no shipped contract ${source.builtin}; there are ${known}`,
    );
  }
  const [sierra, casm] = files;
  return { sierraJson: readText(sierra, name), casmJson: readText(casm, name) };
};
