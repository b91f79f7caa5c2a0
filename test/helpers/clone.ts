import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { runtimeSettings } from "./environment.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** Parts that a clone does not have, or links to this one. */
const EXCLUDED = new Set(["node_modules", "dist", ".git", ".bun", "appchain-data"]);

/**
 * Copies this tree to `folder`, in the state after a first run: launchers can be tested there
 * without changing this one. Dependencies and the runtime are linked.
 */
export function copyClone(folder: string): void {
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (source) => !EXCLUDED.has(relative(ROOT, source)),
  });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const binaries = join(folder, ".bun/node_modules/.bin");
  mkdirSync(binaries, { recursive: true });
  symlinkSync(process.execPath, join(binaries, "bun"));
}

/** Variables by which this machine reaches the npm registry. */
const NETWORK =
  /^(npm_config_(registry|proxy|https_proxy|cafile)|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/**
 * Returns the environment variables of a bare machine with Node and npm: no Bun, no variables of
 * this program.
 */
export function bareEnvironment(
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const node = Bun.which("node");
  const folders = [...(node === null ? [] : [dirname(node)]), "/usr/local/bin", "/usr/bin", "/bin"];
  const kept = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...runtimeSettings(),
    PATH: folders.filter((folder) => !existsSync(join(folder, "bun"))).join(":"),
    HOME: process.env["HOME"] ?? "/",
    ...more,
  };
}
