import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const ROOT = resolve(import.meta.dir, "../..");

/** A file of the repository as text. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Parts of a compose service that tests check. */
export interface ComposeService {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
}

/** The services of `deploy/compose.yaml` by name. */
export function composeServices(): ReadonlyMap<string, ComposeService> {
  const { services } = parse(textOf("deploy/compose.yaml"), { merge: true }) as {
    services: Readonly<Record<string, ComposeService>>;
  };
  return new Map(Object.entries(services));
}

/** Instructions of a Dockerfile, with continued lines joined and without comments. */
export function instructionsOf(dockerfile: string): readonly string[] {
  return dockerfile
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
}

/**
 * Whether a file is part of the build context: the last pattern that matches it or one of its
 * parent folders decides. Source: Docker documentation, "Build context", ".dockerignore files".
 */
export function isInContext(dockerignore: string, path: string): boolean {
  const places = path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  let isSent = true;
  for (const line of dockerignore.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const isException = line.startsWith("!");
    const glob = new Bun.Glob(isException ? line.slice(1) : line);
    if (places.some((place) => glob.match(place))) isSent = isException;
  }
  return isSent;
}

/** Every file below a folder of the repository, without dependencies and history. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}
