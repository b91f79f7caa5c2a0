import { compareProtocolVersions } from "#protocol/versions/version.ts";

/** A JavaScript identifier for the file of `version`. */
function nameOf(version: string): string {
  return `v${version.replaceAll(".", "_")}`;
}

/**
 * The module that lists the version files, oldest first; the bundler needs a static import of
 * each.
 */
export function versionIndex(versions: readonly string[]): string {
  const sorted = [...versions].sort(compareProtocolVersions);
  const imports = sorted.map((version) => `import ${nameOf(version)} from "./${version}.json";`);
  return `// Written by scripts/constants: every version file beside this one, oldest first.
import type { VersionFile } from "../version-file.ts";
${imports.join("\n")}

/** What every protocol version changes, oldest first. */
export const VERSION_FILES: readonly VersionFile[] = [
${sorted.map((version) => `  ${nameOf(version)},`).join("\n")}
];
`;
}
