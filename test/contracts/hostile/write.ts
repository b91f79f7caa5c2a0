/** Writes `hostile.sierra.json` and `hostile.casm.json`: `bun test/contracts/hostile/write.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostileContract } from "./contract.ts";

const { sierra, casm } = hostileContract();
for (const [name, value] of Object.entries({ sierra, casm })) {
  const path = join(import.meta.dir, `hostile.${name}.json`);
  writeFileSync(path, `${JSON.stringify(value)}\n`);
}
