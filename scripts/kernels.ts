import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { KernelError } from "#base/errors/index.ts";
import { writeAbi } from "./kernels-lib/abi.ts";
import { writeAtomically } from "./kernels-lib/write.ts";
import { lowerWide, type WideForm } from "./lower-wide.ts";

const ROOT = resolve(import.meta.dir, "..");
const KERNELS = join(ROOT, "src/kernels");

/** All kernels; the entry of each is `src/kernels/<name>/assembly/index.ts`. */
export const KERNEL_NAMES = ["field", "vm"] as const;

/** After two runs of the optimizer a third one changes less than a thousandth of the bytes. */
const OPTIMIZER_PASSES = 2;

/** Name of a kernel. */
export type KernelName = (typeof KERNEL_NAMES)[number];

/** Result of {@link buildKernels} for one kernel. */
export interface KernelBuild {
  readonly name: KernelName;
  readonly outcome: "built" | "unchanged" | "missing";
}

/**
 * Compiles kernels to `src/kernels/<name>/build/<name>.{plain,wide,debug}.wasm`.
 *
 * `wide` needs the wide-arithmetic proposal, `plain` runs on any engine, `debug` is unoptimised and
 * keeps asserts and names. A kernel is skipped while the hash of all kernel sources, of this script
 * and of the compiler's version equals the one stored next to its outputs, or while it has no entry.
 * The constants that a kernel shares with its host are written first, from its `abi.ts`.
 *
 * @throws {KernelError} when the compiler or the validator refuses a kernel
 */
export async function buildKernels(
  names: readonly KernelName[] = KERNEL_NAMES,
): Promise<KernelBuild[]> {
  for (const name of KERNEL_NAMES) writeAbi(name, join(KERNELS, name, "assembly"));
  const builds: KernelBuild[] = [];
  for (const name of names) builds.push({ name, outcome: await buildKernel(name) });
  return builds;
}

async function buildKernel(name: KernelName): Promise<KernelBuild["outcome"]> {
  const entry = join(KERNELS, name, "assembly/index.ts");
  if (!existsSync(entry)) return "missing";
  const folder = join(KERNELS, name, "build");
  const output = (form: string): string => join(folder, `${name}.${form}.wasm`);
  const forms = ["plain", "wide", "debug"];
  const stamp = join(folder, `${name}.hash`);
  const hash = sourceHash(name);
  const isFresh =
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === hash &&
    forms.every((form) => existsSync(output(form)));
  if (isFresh) return "unchanged";

  mkdirSync(folder, { recursive: true });
  const debug = await compile(entry, ["--debug", "-O0", "--outFile", "out.wasm"], "out.wasm");
  writeAtomically(output("debug"), debug as Uint8Array);
  const text = await compile(entry, ["--noAssert", "-O0", "--textFile", "out.wat"], "out.wat");
  for (const form of ["plain", "wide"] as const) {
    writeAtomically(output(form), await optimize(lowerWide(text as string, form), name, form));
  }
  writeAtomically(stamp, hash);
  return "built";
}

/** Hash over everything that determines the outputs; a kernel may import another one's sources. */
function sourceHash(name: KernelName): string {
  const hash = createHash("sha256").update(name);
  const files = KERNEL_NAMES.flatMap((each) => {
    const folder = join(KERNELS, each, "assembly");
    if (!existsSync(folder) || (name === "field" && each !== "field")) return [];
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file));
  });
  files.push(import.meta.path, join(import.meta.dir, "lower-wide.ts"));
  for (const compiler of ["assemblyscript", "binaryen"]) {
    files.push(join(ROOT, "node_modules", compiler, "package.json"));
  }
  for (const file of files.toSorted()) {
    hash.update(relative(ROOT, file)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

async function compile(
  entry: string,
  options: readonly string[],
  wanted: string,
): Promise<Uint8Array | string> {
  // Loaded late: the compilers take a second, and usually nothing has changed.
  const { default: asc } = await import("assemblyscript/asc");
  const outputs = new Map<string, Uint8Array | string>();
  let messages = "";
  const { error } = await asc.main(
    [relative(ROOT, entry), "--runtime", "stub", "--baseDir", ROOT, ...options],
    {
      writeFile: (file, contents) => void outputs.set(file, contents),
      readFile: (file, base) => {
        const path = resolve(base, file);
        return existsSync(path) ? readFileSync(path, "utf8") : null;
      },
      stderr: {
        write: (chunk) => {
          messages += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
        },
      },
    },
  );
  const output = outputs.get(wanted);
  if (error !== null || output === undefined) {
    throw new KernelError("KERNEL_BUILD_FAILED", `${relative(ROOT, entry)}\n${messages}`);
  }
  return output;
}

async function optimize(text: string, name: KernelName, form: WideForm): Promise<Uint8Array> {
  const { default: binaryen } = await import("binaryen");
  const { Features } = binaryen;
  const module = binaryen.parseText(text);
  try {
    module.setFeatures(
      Features.MutableGlobals |
        Features.NontrappingFPToInt |
        Features.SignExt |
        Features.BulkMemory |
        Features.BulkMemoryOpt |
        (form === "wide" ? Features.Multivalue | Features.WideArithmetic : 0),
    );
    binaryen.setOptimizeLevel(3);
    binaryen.setShrinkLevel(0);
    binaryen.setDebugInfo(false);
    for (let pass = 0; pass < OPTIMIZER_PASSES; pass++) module.optimize();
    if (!module.validate()) {
      throw new KernelError("KERNEL_BUILD_FAILED", `${name}.${form} is invalid`);
    }
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

if (import.meta.main) {
  // `--quiet` is for launchers: they print nothing when everything is up to date.
  const quiet = process.argv.includes("--quiet");
  const started = performance.now();
  for (const { name, outcome } of await buildKernels()) {
    if (!quiet || outcome !== "unchanged") process.stdout.write(`${name}: ${outcome}\n`);
  }
  if (!quiet) process.stdout.write(`${Math.round(performance.now() - started)} ms\n`);
}
