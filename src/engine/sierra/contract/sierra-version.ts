import { CompileError } from "../compile-error.ts";

/** Version of Sierra, or of the compiler that wrote a class. */
export type SierraVersion = readonly [major: number, minor: number, patch: number];

/** Newest Sierra version that this compiler supports. */
export const NEWEST_SIERRA: SierraVersion = [1, 9, 3];

/** Range of the supported Sierra versions as text for messages. */
export const SUPPORTED_SIERRA = `1.0 to ${NEWEST_SIERRA.join(".")}`;

/** First version whose gas and `ap` changes are computed in one pass over the program, without equations. */
export const LINEAR_METADATA_SINCE: SierraVersion = [1, 4, 0];

/** First version whose bytecode is hashed in segments. */
export const SEGMENTED_SINCE: SierraVersion = [1, 5, 0];

/** Whether a version includes the features introduced in `since`. Patch versions are ignored. */
export function supports([major, minor]: SierraVersion, since: SierraVersion): boolean {
  return major > since[0] || (major === since[0] && minor >= since[1]);
}

/** Reads the first six felts of a program: the versions of Sierra and of the compiler. */
export function readVersions(felts: readonly bigint[]): {
  readonly sierra: SierraVersion;
  readonly compiler: SierraVersion;
} {
  const numbers = felts.slice(0, 6).map(Number);
  if (numbers.length < 6 || numbers.some((each) => !Number.isSafeInteger(each))) {
    throw new CompileError(
      "SIERRA_DECODE",
      "the Sierra program does not begin with the versions of Sierra and of its compiler",
    );
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  return { sierra: [a, b, c], compiler: [d, e, f] };
}

/**
 * Checks that this compiler supports a Sierra version.
 *
 * @throws {CompileError} SIERRA_VERSION for an unsupported version
 */
export function checkVersion(version: SierraVersion): void {
  const [major, minor] = version;
  if (major === NEWEST_SIERRA[0] && minor <= NEWEST_SIERRA[1]) return;
  throw new CompileError(
    "SIERRA_VERSION",
    `Sierra ${version.join(".")} is not supported: expected ${SUPPORTED_SIERRA}`,
  );
}
