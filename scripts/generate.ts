/**
 * Makes what the program is built from and what is not committed, where it is missing or older than
 * its sources: the kernels, then the CASM of the shipped contracts. With `--quiet` it says nothing
 * when there is nothing to do.
 */
import { buildCasm } from "./contracts-lib/casm-build.ts";
import { buildKernels } from "./kernels.ts";

const quiet = process.argv.includes("--quiet");

function report(name: string, outcome: string): void {
  if (!quiet || outcome !== "unchanged") process.stdout.write(`${name}: ${outcome}\n`);
}

for (const { name, outcome } of await buildKernels()) report(name, outcome);
// The compiler counts with the kernels.
for (const build of await buildCasm()) {
  report(`${build.name}.casm.json`, build.outcome);
  if (build.outcome !== "failed") continue;
  process.stderr.write(`contracts/l2/${build.name}.sierra.json: ${build.reason}\n`);
  process.exitCode = 1;
}
