/** Names numbered by their position, names with explicit numbers, or consecutive bytes. */
export type AbiPart = readonly string[] | Readonly<Record<string, number | bigint>> | Uint8Array;

/** Constants shared by a kernel and its host, by their names in the kernel. */
export type KernelAbi = Readonly<Record<string, AbiPart>>;

/**
 * Returns the constants of one part of an ABI with their names in the kernel; bigints have 64 bits
 * there, numbers 32.
 */
export function abiConstants(
  part: Exclude<AbiPart, Uint8Array>,
): (readonly [name: string, value: number | bigint])[] {
  const entries: (readonly [string, number | bigint])[] = isList(part)
    ? part.map((name, index) => [name, index])
    : Object.entries(part);
  return entries.map(([name, value]) => [
    name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase(),
    value,
  ]);
}

function isList(part: AbiPart): part is readonly string[] {
  return Array.isArray(part);
}

/** Generates the AssemblyScript source that declares the constants of an ABI. */
export function abiSource(abi: KernelAbi): string {
  return Object.entries(abi).map(partSource).join("\n");
}

function partSource([name, part]: readonly [string, AbiPart]): string {
  if (part instanceof Uint8Array) {
    return `export const ${name}: usize = memory.data<u8>([${part.join(", ")}]);\n`;
  }
  const lines = abiConstants(part).map(([constant, value]) => {
    const type = typeof value === "bigint" ? "u64" : "u32";
    return `  export const ${constant}: ${type} = 0x${value.toString(16)};\n`;
  });
  return `export namespace ${name} {\n${lines.join("")}}\n`;
}

/**
 * Returns a 32-bit hash of an ABI, by which the host detects a kernel built with other constants.
 */
export function abiFingerprint(abi: KernelAbi): number {
  return Bun.hash.crc32(abiSource(abi));
}
