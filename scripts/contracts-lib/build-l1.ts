import {
  compileSolidity,
  readL1Artifact,
  type SolidityResult,
  writeL1Artifact,
} from "./solidity-compiler.ts";
import { soliditySources, sourcesSha256 } from "./solidity-sources.ts";

/** Result for a contract: unchanged, or the result of its compilation. */
export type L1Build = { readonly kind: "unchanged" } | SolidityResult;

/** Compiles an L1 contract and writes its artifact, if its sources have changed or with `force`. */
export async function buildL1(name: string, force: boolean): Promise<L1Build> {
  if (!force && isL1Fresh(name)) return { kind: "unchanged" };
  const result = await compileSolidity(name);
  if (result.kind === "compiled") writeL1Artifact(name, result.artifact);
  return result;
}

/** Whether the committed artifact was compiled from the current sources. */
export function isL1Fresh(name: string): boolean {
  return readL1Artifact(name)?.sourceSha256 === sourcesSha256(soliditySources(name));
}
