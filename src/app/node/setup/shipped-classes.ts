import { readFileSync } from "node:fs";
import type { ShippedContract } from "#protocol/config/index.ts";
import { invariant } from "#base/errors/index.ts";
import { type Felt, feltFromHex } from "#base/primitives/index.ts";
import type { ClassText, KnownHashes } from "#services/sequencer/index.ts";
import artifacts from "../../../../contracts/l2/artifacts.json";
import accountCasm from "../../../../contracts/l2/build/account.casm.json" with { type: "file" };
import accountSierra from "../../../../contracts/l2/account.sierra.json" with { type: "file" };
import erc20Casm from "../../../../contracts/l2/build/erc20.casm.json" with { type: "file" };
import erc20Sierra from "../../../../contracts/l2/erc20.sierra.json" with { type: "file" };
import bridgeCasm from "../../../../contracts/l2/build/token_bridge.casm.json" with { type: "file" };
import bridgeSierra from "../../../../contracts/l2/token_bridge.sierra.json" with { type: "file" };
import deployerCasm from "../../../../contracts/l2/build/universal_deployer.casm.json" with { type: "file" };
import deployerSierra from "../../../../contracts/l2/universal_deployer.sierra.json" with { type: "file" };

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

/** Hash of the class of the accounts that a development chain deploys. */
export function shippedAccountClass(): Felt {
  return hashesOf(artifacts.account).classHash;
}

/** Returns the compiled code of a class of the program as JSON text; `undefined` for other classes. */
export function shippedCasm(classHash: Felt): string | undefined {
  const found = Object.values(SHIPPED).find(
    ([, , artifact]) => hashesOf(artifact).classHash === classHash,
  );
  return found === undefined ? undefined : readFileSync(found[1], "utf8");
}

/** Returns the texts of a class of the program, with its hashes. */
export function shippedClass(name: ShippedContract): ClassText {
  const [sierra, casm, artifact] = SHIPPED[name];
  return {
    classJson: readFileSync(sierra, "utf8"),
    casmJson: readFileSync(casm, "utf8"),
    hashes: hashesOf(artifact),
  };
}
