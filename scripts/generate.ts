/**
 * Builds the uncommitted inputs of the program that are missing or older than their sources: the kernels,
 * the CASM of the shipped contracts, and the explorer's page. With `--quiet` it prints nothing when everything is up to date.
 */
import { buildCasm } from "./contracts-lib/casm-build.ts";
import { buildKernels } from "./kernels.ts";
import { buildPage } from "./page.ts";

const quiet = process.argv.includes("--quiet");

function report(name: string, outcome: string): void {
  if (!quiet || outcome !== "unchanged") process.stdout.write(`${name}: ${outcome}\n`);
}

for (const { name, outcome } of await buildKernels()) report(name, outcome);
// The compiler needs the kernels.
for (const build of await buildCasm()) {
  report(`${build.name}.casm.json`, build.outcome);
  if (build.outcome !== "failed") continue;
  process.stderr.write(`contracts/l2/${build.name}.sierra.json: ${build.reason}\n`);
  process.exitCode = 1;
}

const page = await buildPage();
report("explorer page", page.outcome);
if (page.outcome === "failed") {
  process.stderr.write(`src/api/explorer/page: ${page.reason}\n`);
  process.exitCode = 1;
}
