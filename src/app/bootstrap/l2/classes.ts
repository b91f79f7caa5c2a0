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
  /** Poseidon (V1) and Blake (V2) hash: the protocol version decides which one a declaration uses. */
  readonly compiledClassHashV1: Felt;
  readonly compiledClassHashV2: Felt;
  /** Returns the Sierra class in JSON-RPC form. */
  readonly sierra: () => unknown;
}

type Artifact = (typeof artifacts)["account"];

function classOf(artifact: Artifact, sierra: unknown): ShippedClass {
  const { classHash, compiledClassHashV1, compiledClassHashV2 } = artifact;
  return {
    classHash: felt(classHash),
    compiledClassHashV1: felt(compiledClassHashV1),
    compiledClassHashV2: felt(compiledClassHashV2),
    // TypeScript types a JSON import by its content; imported as `file` it is a path, inside the executable
    // when compiled.
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

/** The shipped classes, with the hashes from the index next to them. */
export const CLASSES = {
  account: classOf(artifacts.account, accountSierra),
  universal_deployer: classOf(artifacts.universal_deployer, deployerSierra),
  erc20: classOf(artifacts.erc20, erc20Sierra),
  token_bridge: classOf(artifacts.token_bridge, bridgeSierra),
} as const;
