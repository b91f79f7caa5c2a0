import { validatorCount } from "../../setup/admission-threads.ts";
import { queryThreadCount } from "../../setup/query-threads.ts";

/** Threads with a machine beside the query threads and validators: admission and executor. */
const OTHER_MACHINES = 2;

/**
 * JavaScriptCore gives all WebAssembly memories of a process together three times the computer's memory;
 * a quarter of that is left for machines that were replaced and are not collected yet.
 */
const SHARE = (3 * 3) / 4;

/** What a machine reserves beside its cells. */
const BESIDE_BYTES = 512 * 2 ** 20;

/** Less would not hold what small transactions pass over. */
const LEAST_BYTES = 128 * 2 ** 20;

/**
 * Bytes of address space that the cells of each machine of the node may span, so that all of its
 * threads get theirs.
 *
 * @param admissionThreads - as {@link validatorCount}
 * @param computerBytes - memory that the process may use
 * @param queryThreads - how many query threads there are
 */
export function machineSpanBytes(
  admissionThreads: number,
  computerBytes: number = process.constrainedMemory(),
  queryThreads: number = queryThreadCount(),
): number {
  const machines = queryThreads + validatorCount(admissionThreads) + OTHER_MACHINES;
  const share = (computerBytes * SHARE) / machines - BESIDE_BYTES;
  return Math.max(LEAST_BYTES, Math.floor(share));
}
