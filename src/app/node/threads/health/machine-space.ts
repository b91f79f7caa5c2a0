import { validatorCount } from "../../setup/admission-threads.ts";
import type { NodeSetup } from "../../setup/setup.ts";

/** Threads with a machine besides the query threads and validators: admission and executor. */
const OTHER_MACHINES = 2;

/**
 * Share of the address space for machines. JavaScriptCore gives all WebAssembly memories of a process
 * together three times the computer's memory; a quarter of that is reserved for replaced machines that are
 * not collected yet.
 */
const SHARE = (3 * 3) / 4;

/** Address space that a machine reserves besides its cells. */
const BESIDE_BYTES = 512 * 2 ** 20;

/** Minimum span; smaller ones would not even hold the cells of small transactions. */
const LEAST_BYTES = 128 * 2 ** 20;

/**
 * Returns the address space, in bytes, that the cells of each machine may span, so that every thread gets its
 * share.
 *
 * @param computerBytes - memory available to the process
 */
export function machineSpanBytes(
  { admissionThreads, queryThreads }: Pick<NodeSetup, "admissionThreads" | "queryThreads">,
  computerBytes: number = process.constrainedMemory(),
): number {
  const machines = queryThreads + validatorCount(admissionThreads) + OTHER_MACHINES;
  const share = (computerBytes * SHARE) / machines - BESIDE_BYTES;
  return Math.max(LEAST_BYTES, Math.floor(share));
}
