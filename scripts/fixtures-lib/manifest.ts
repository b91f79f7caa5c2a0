import { DecodeError } from "#base/errors/index.ts";

/** A public file and its local path. */
export interface FixtureFile {
  /** `owner/name`. */
  readonly repository: string;
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** Path in the repository. */
  readonly from: string;
  /** Checksum of the whole file, 64 hexadecimal digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Path in the folder of fixtures. */
  readonly to: string;
}

/** Maximum size of a file; a manifest with a larger one is invalid. */
export const MAX_SIZE_BYTES: number = 64 * 2 ** 20;

/** Relative, without `.` and `..`, hidden names, or characters with a meaning in a URL or a shell. */
const PATH = /^[A-Za-z0-9_][\w.+-]*(?:\/[A-Za-z0-9_][\w.+-]*)*$/;
const SOURCE = /^source ([A-Za-z0-9-]+\/[A-Za-z0-9][\w.-]*) ([0-9a-f]{40})$/;
const FILE = /^([0-9a-f]{64}) ([1-9]\d{0,8}) (\S+) (\S+)$/;

/**
 * Reads a manifest. Lines are empty, comments (`#`), a source (`source OWNER/NAME COMMIT`), or a file of
 * the last source: `SHA256 BYTES PATH-THERE PATH-HERE`, with single spaces. A local path is unique and is
 * no folder of another one, also on file systems that ignore case.
 *
 * @throws DecodeError, with the number of the line, for any other text
 */
export function parseManifest(text: string): readonly FixtureFile[] {
  const files: FixtureFile[] = [];
  let source: Pick<FixtureFile, "repository" | "commit"> | undefined;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const refuse = (expected: string): never => {
      throw new DecodeError(`line ${index + 1}`, expected);
    };
    if (line === "" || line.startsWith("#")) continue;
    const [, repository, commit] = SOURCE.exec(line) ?? [];
    if (repository !== undefined && commit !== undefined) {
      source = { repository, commit };
      continue;
    }
    const [, sha256, size, from = "", to = ""] = FILE.exec(line) ?? [];
    if (sha256 === undefined) return refuse("a source, or a checksum, a size and two paths");
    if (source === undefined) return refuse("a source before the first file");
    if (!PATH.test(from) || !PATH.test(to)) refuse("paths below the repository and the folder");
    const sizeBytes = Number(size);
    if (sizeBytes > MAX_SIZE_BYTES) refuse(`at most ${MAX_SIZE_BYTES} bytes`);
    files.push({ ...source, from, sha256, sizeBytes, to });
  }
  if (files.length === 0) throw new DecodeError("", "a file");
  refuseCollisions(files);
  return files;
}

function refuseCollisions(files: readonly FixtureFile[]): void {
  const taken = new Set<string>();
  for (const { to } of files) {
    const path = to.toLowerCase();
    if (taken.has(path)) throw new DecodeError(to, "each path once");
    taken.add(path);
  }
  for (const path of taken) {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      if (taken.has(path.slice(0, end))) throw new DecodeError(path, "no file as a folder");
    }
  }
}
