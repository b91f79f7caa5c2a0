import { feltFromHex, type Felt } from "#base/primitives/index.ts";
import { invariant } from "#base/errors/index.ts";
import artifacts from "../../../../contracts/l2/artifacts.json";

/** A class that the bootstrap declares. */
export interface ShippedClass {
  readonly classHash: Felt;
  /** Poseidon and Blake: which one a declaration names depends on the protocol version. */
  readonly compiledClassHashV1: Felt;
  readonly compiledClassHashV2: Felt;
}

type Artifact = (typeof artifacts)["account"];

function classOf({ classHash, compiledClassHashV1, compiledClassHashV2 }: Artifact): ShippedClass {
  return {
    classHash: felt(classHash),
    compiledClassHashV1: felt(compiledClassHashV1),
    compiledClassHashV2: felt(compiledClassHashV2),
  };
}

function felt(text: string): Felt {
  const value = feltFromHex(text);
  invariant(value !== undefined, "artifacts.json holds felts");
  return value;
}

/** The hashes of the classes, out of the index beside them. */
export const CLASSES = {
  account: classOf(artifacts.account),
  erc20: classOf(artifacts.erc20),
  universal_deployer: classOf(artifacts.universal_deployer),
};
