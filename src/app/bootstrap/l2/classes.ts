import { readFileSync } from "node:fs";
import { feltFromHex, type Felt } from "#base/primitives/index.ts";
import { invariant } from "#base/errors/index.ts";
import artifacts from "../../../../contracts/l2/artifacts.json";
import accountSierra from "../../../../contracts/l2/account.sierra.json" with { type: "file" };
import erc20Sierra from "../../../../contracts/l2/erc20.sierra.json" with { type: "file" };
import bridgeSierra from "../../../../contracts/l2/token_bridge.sierra.json" with { type: "file" };
import deployerSierra from "../../../../contracts/l2/universal_deployer.sierra.json" with { type: "file" };

/** A class that the bootstrap declares. */
export interface ShippedClass {
  readonly classHash: Felt;
  /** Poseidon and Blake: which one a declaration names depends on the protocol version. */
  readonly compiledClassHashV1: Felt;
  readonly compiledClassHashV2: Felt;
  /** The Sierra class as JSON-RPC has it. */
  readonly sierra: () => unknown;
}

type Artifact = (typeof artifacts)["account"];

function classOf(artifact: Artifact, sierra: unknown): ShippedClass {
  const { classHash, compiledClassHashV1, compiledClassHashV2 } = artifact;
  return {
    classHash: felt(classHash),
    compiledClassHashV1: felt(compiledClassHashV1),
    compiledClassHashV2: felt(compiledClassHashV2),
    // TypeScript types a JSON import by its content; as `file` it is a path, inside of the executable when compiled.
    sierra: () => JSON.parse(readFileSync(sierra as string, "utf8")),
  };
}

function felt(text: string): Felt {
  const value = feltFromHex(text);
  invariant(value !== undefined, "artifacts.json holds felts");
  return value;
}

/** Names of the classes that the bootstrap declares. */
export type ClassName = keyof typeof CLASSES;

/** The classes, with the hashes out of the index beside them. */
export const CLASSES = {
  account: classOf(artifacts.account, accountSierra),
  universal_deployer: classOf(artifacts.universal_deployer, deployerSierra),
  erc20: classOf(artifacts.erc20, erc20Sierra),
  token_bridge: classOf(artifacts.token_bridge, bridgeSierra),
} as const;
