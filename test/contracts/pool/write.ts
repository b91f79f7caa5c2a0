/** Writes `pool.sierra.json`: `bun test/contracts/pool/write.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileCairo } from "../../../scripts/contracts-lib/cairo-compiler.ts";

const compiled = compileCairo(readFileSync(join(import.meta.dir, "pool.cairo"), "utf8"));
if (compiled.kind === "compiled") {
  const path = join(import.meta.dir, "pool.sierra.json");
  writeFileSync(path, `${JSON.stringify(compiled.sierra)}\n`);
} else {
  for (const text of compiled.diagnostics) process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
