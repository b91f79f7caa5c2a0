import { type SierraClass, sierraClassObjectBytes } from "#protocol/chain/index.ts";
import type { CompileServiceLimits } from "./compile-limits.ts";
import type { Refusal } from "./refusals.ts";

/** The refusal of a class that is above a limit of size; the cheap limits are looked at first. */
export function classTooLarge(
  contractClass: SierraClass,
  {
    maxProgramFelts,
    maxObjectBytes,
  }: Pick<CompileServiceLimits, "maxProgramFelts" | "maxObjectBytes">,
): Refusal | undefined {
  const felts = contractClass.sierraProgram.length;
  if (felts > maxProgramFelts) {
    return tooLarge(
      `the Sierra program has ${felts} felts, at most ${maxProgramFelts} are allowed`,
    );
  }
  const isLong = contractClass.abi.length > maxObjectBytes;
  const bytes = isLong ? contractClass.abi.length : sierraClassObjectBytes(contractClass);
  if (bytes <= maxObjectBytes) return undefined;
  const exactly = isLong ? "more than " : "";
  return tooLarge(
    `the class has ${exactly}${bytes} bytes as JSON, at most ${maxObjectBytes} are allowed`,
  );
}

function tooLarge(reason: string): Refusal {
  return { kind: "refused", code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE", reason };
}
