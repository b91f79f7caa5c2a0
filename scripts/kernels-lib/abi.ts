import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIELD_ABI } from "../../src/kernels/field/abi.ts";
import { abiFingerprint, abiSource } from "../../src/kernels/field/abi-source.ts";
import { VM_ABI } from "../../src/kernels/vm/abi.ts";
import { writeAtomically } from "./write.ts";

const ABIS = { field: FIELD_ABI, vm: VM_ABI } as const;

/** Writes the constants that a kernel shares with its host into its `assembly` folder, if they differ. */
export function writeAbi(name: keyof typeof ABIS, folder: string): void {
  const abi = ABIS[name];
  const fingerprint = `0x${abiFingerprint(abi).toString(16)}`;
  const source =
    `// Written by scripts/kernels.ts from src/kernels/${name}/abi.ts.\n\n${abiSource(abi)}\n` +
    `export const ABI_FINGERPRINT: u32 = ${fingerprint};\n`;
  const path = join(folder, "abi.generated.ts");
  if (existsSync(path) && readFileSync(path, "utf8") === source) return;
  writeAtomically(path, source);
}
