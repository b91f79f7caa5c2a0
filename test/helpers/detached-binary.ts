import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { invariant } from "#base/errors/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** Inputs of the build. */
const SOURCES = ["bin", "src", "presets", "contracts", "scripts", "package.json", "tsconfig.json"];

/**
 * Builds the executable from a copy of the sources that is deleted afterwards, so that none of its
 * inputs exist when it runs.
 *
 * @param folder - destination of the executable
 * @returns its path
 */
export function buildDetached(folder: string): string {
  using temporary = temporaryFolder();
  const copy = temporary.path;
  for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    symlinkSync(join(ROOT, "node_modules", name), join(copy, "node_modules", name));
  }
  const build = Bun.spawnSync([process.execPath, "scripts/build.ts"], { cwd: copy });
  invariant(build.exitCode === 0, `the build succeeds: ${build.stderr.toString()}`);
  const binary = join(folder, "appchain");
  renameSync(join(copy, "dist/appchain"), binary);
  return binary;
}
