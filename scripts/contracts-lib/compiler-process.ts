/**
 * Child process of `cairo-compiler.ts`: compiles the Cairo source on standard input and prints
 * `{"output": TEXT}` or `{"diagnostics": [TEXT...]}` as the last line.
 *
 * Each process runs one compilation: a failed compiler keeps its memory, which grows up to several
 * gigabytes, and a trap makes it unusable.
 */
import { readFileSync } from "node:fs";
import { compileStarknetContract, initSync } from "wasm-cairo";

const wasmPath = new URL(import.meta.resolve("wasm-cairo/wasm-cairo_bg.wasm")).pathname;
const { memory } = initSync({ module: new WebAssembly.Module(readFileSync(wasmPath)) });

console.log(`\n${JSON.stringify(compile(readFileSync(0, "utf8")))}`);

function compile(source: string): { output: string } | { diagnostics: string[] } {
  try {
    const output = compileStarknetContract(source, true, false);
    return output.startsWith("{") ? { output } : { diagnostics: diagnosticsInMemory() };
  } catch (error) {
    return { diagnostics: [`the compiler stopped: ${String(error)}`, ...diagnosticsInMemory()] };
  }
}

/** The formatted diagnostics, which the compiler builds but does not return. */
function diagnosticsInMemory(): string[] {
  const bytes = Buffer.from(memory.buffer);
  const isText = (byte: number | undefined): boolean =>
    byte === 0x0a || (byte !== undefined && byte >= 0x20 && byte < 0x7f);
  const found = new Set<string>();
  const marker = "--> lib.cairo:";
  for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) {
    let start = at;
    let end = at;
    while (isText(bytes[start - 1])) start--;
    while (isText(bytes[end])) end++;
    found.add(bytes.toString("latin1", start, end).trim());
  }
  return [...found];
}
