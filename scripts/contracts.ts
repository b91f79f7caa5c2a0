import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type ArtifactEntry,
  entryOf,
  readCasm,
  readIndex,
  readSierra,
  readSource,
  sha256,
  writeArtifacts,
} from "./contracts-lib/artifacts.ts";
import { contractNames } from "./contracts-lib/folders.ts";
import { l1ContractNames } from "./contracts-lib/solidity-sources.ts";

const HELP = `scripts/contracts [NAME...]       compile the contracts whose source changed
scripts/contracts --force [NAME...]  compile them even if they are up to date
scripts/contracts --check            compare sources, classes and the index; compiles nothing
scripts/contracts --scenarios        write test/fixtures/oracle; also results, if the variable ORACLE
                                     names the reference engine's program
scripts/contracts --bisect FILE      name the functions of a Cairo source that do not compile

Sources and artifacts are in contracts/l1 and contracts/l2. The npm package solc compiles Solidity,
wasm-cairo Cairo, this program's compiler Sierra; the CASM goes into contracts/l2/build, which is
not committed.`;

// Compilers take a second to load: each command loads only those that it needs.
process.exitCode = await main();

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      bisect: { type: "string" },
      check: { type: "boolean" },
      force: { type: "boolean" },
      scenarios: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
}

async function main(): Promise<number> {
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    printError(error.message);
    return 2;
  }
  const { values, positionals } = given;
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  if (values.scenarios === true) {
    const { writeScenarios } = await import("#test/helpers/contract-scenarios/index.ts");
    for (const name of writeScenarios(process.env["ORACLE"])) console.log(name);
    return 0;
  }
  if (values.bisect !== undefined) return runBisect(values.bisect);
  const onL1 = l1ContractNames();
  const onL2 = contractNames();
  const known = [...onL1, ...onL2];
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    printError(`unknown contract ${unknown.join(", ")}; known: ${known.join(", ")}`);
    return 2;
  }
  const isAsked = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
  const l1Names = onL1.filter(isAsked);
  const l2Names = onL2.filter(isAsked);
  if (values.check === true) return Math.max(await checkL1(l1Names), check(l2Names));
  const force = values.force === true;
  return (await compileL1(l1Names, force)) || (await build(l2Names, force));
}

async function compileL1(names: readonly string[], force: boolean): Promise<number> {
  const { buildL1 } = await import("./contracts-lib/build-l1.ts");
  for (const name of names) {
    const built = await buildL1(name, force);
    if (built.kind === "failed") {
      printError(`${name}: compilation failed\n${built.diagnostics.join("\n")}`);
      return 1;
    }
    const sizeBytes = built.kind === "compiled" ? built.artifact.bytecode.length / 2 - 1 : 0;
    console.log(`${name}: ${sizeBytes === 0 ? "up to date" : `${sizeBytes} bytes`}`);
  }
  return 0;
}

async function checkL1(names: readonly string[]): Promise<number> {
  const { isL1Fresh } = await import("./contracts-lib/build-l1.ts");
  let wrong = 0;
  for (const name of names) {
    if (isL1Fresh(name)) {
      console.log(`${name}: up to date`);
    } else {
      printError(`${name}: its artifact was compiled from other sources; run scripts/contracts`);
      wrong++;
    }
  }
  return wrong === 0 ? 0 : 1;
}

async function build(names: readonly string[], force: boolean): Promise<number> {
  const { compileCairo } = await import("./contracts-lib/cairo-compiler.ts");
  const { compileCasm } = await import("./contracts-lib/casm-compiler.ts");
  const { buildCasm } = await import("./contracts-lib/casm-build.ts");
  const index = readIndex();
  const isStale = (name: string): boolean =>
    force || index[name]?.sourceSha256 !== sha256(readSource(name));
  for (const name of names) {
    const source = readSource(name);
    if (!isStale(name)) {
      console.log(`${name}: up to date`);
      continue;
    }
    const compiled = compileCairo(source);
    if (compiled.kind === "failed") {
      printError(`${name}: compilation failed\n${compiled.diagnostics.join("\n")}`);
      return 1;
    }
    const casm = compileCasm(JSON.stringify(compiled.sierra));
    if (casm.kind === "failed") {
      printError(`${name}: ${casm.message}`);
      return 1;
    }
    report(name, writeArtifacts(name, source, compiled.sierra, casm.casm));
    await buildCasm([name]);
  }
  return 0;
}

function check(names: readonly string[]): number {
  const index = readIndex();
  let wrong = 0;
  for (const name of names) {
    const expected = entryOf(readSource(name), readSierra(name), readCasm(name));
    if (Bun.deepEquals(index[name], expected)) {
      console.log(`${name}: up to date`);
    } else {
      printError(`${name}: index and files differ; run scripts/contracts`);
      wrong++;
    }
  }
  return wrong === 0 ? 0 : 1;
}

async function runBisect(path: string): Promise<number> {
  let source: string;
  try {
    source = readFileSync(path, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    printError(error.message);
    return 1;
  }
  const { compileCairo } = await import("./contracts-lib/cairo-compiler.ts");
  const { bisect } = await import("./contracts-lib/bisect.ts");
  const whole = compileCairo(source);
  if (whole.kind === "compiled") {
    console.log("compiles");
    return 0;
  }
  for (const text of whole.diagnostics) console.log(text);
  const { outsideOfFunctions, failing } = bisect(source);
  if (outsideOfFunctions) console.log("fails outside of the functions' bodies");
  for (const { name, line } of failing) console.log(`${path}:${line}: ${name}`);
  return 1;
}

function report(name: string, entry: ArtifactEntry): void {
  console.log(
    `${name}: class ${entry.classHash}, ${entry.sierraProgramFelts} Sierra felts, ` +
      `${entry.bytecodeFelts} bytecode felts`,
  );
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
