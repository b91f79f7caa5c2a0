import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { L1_CONTRACTS_FOLDER, soliditySources, sourcesSha256 } from "./solidity-sources.ts";

/** Committed artifact of a compiled L1 contract. */
export interface L1Artifact {
  readonly abi: readonly unknown[];
  /** Deployment code without the constructor's arguments: `0x` and hex. */
  readonly bytecode: string;
  /** Hash of its source and all imports: shows whether it was compiled from them. */
  readonly sourceSha256: string;
}

/** Result of a compilation: the artifact, or the compiler's diagnostics. */
export type SolidityResult =
  | { readonly kind: "compiled"; readonly artifact: L1Artifact }
  | { readonly kind: "failed"; readonly diagnostics: readonly string[] };

/** Parts of the compiler's standard JSON output. */
interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: { readonly bytecode: { readonly object: string } };
          }
        >
      >
    >
  >;
}

/** Settings without paths and metadata in the bytecode, so that equal sources give equal bytes. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  // The first version with blobs, which state updates read.
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
} as const;

/** Compiles the contract NAME of `NAME.sol`; a warning is a failure. */
export async function compileSolidity(name: string): Promise<SolidityResult> {
  // Loading the compiler takes a second.
  const { default: solc } = await import("solc");
  const sources = soliditySources(name);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...sources].map(([unit, content]) => [unit, { content }])),
    settings: SETTINGS,
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const diagnostics = (output.errors ?? [])
    .filter(({ severity }) => severity !== "info")
    .map(({ formattedMessage }) => formattedMessage);
  const compiled = output.contracts?.[`${name}.sol`]?.[name];
  if (compiled === undefined || diagnostics.length > 0) {
    return {
      kind: "failed",
      diagnostics: diagnostics.length > 0 ? diagnostics : [`${name}.sol has no contract ${name}`],
    };
  }
  const { abi, evm } = compiled;
  const bytecode = `0x${evm.bytecode.object}`;
  return {
    kind: "compiled",
    artifact: { abi, bytecode, sourceSha256: sourcesSha256(sources) },
  };
}

/** The committed artifact; `undefined` if the file does not exist. */
export function readL1Artifact(name: string): L1Artifact | undefined {
  try {
    return JSON.parse(readFileSync(artifactPath(name), "utf8")) as L1Artifact;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    return undefined;
  }
}

/** Writes the artifact next to its source. */
export function writeL1Artifact(name: string, artifact: L1Artifact): void {
  writeFileSync(artifactPath(name), `${JSON.stringify(artifact)}\n`);
}

function artifactPath(name: string): string {
  return join(L1_CONTRACTS_FOLDER, `${name}.json`);
}
