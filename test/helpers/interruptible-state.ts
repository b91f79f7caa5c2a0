import { OriginError } from "#base/errors/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** Text of the errors of {@link interruptible}. */
export const LOST = "the origin does not respond";

/** A state whose reads fail where `isLost` says so, as if its origin were lost. */
export function interruptible(
  state: StateReader,
  isLost: (address: bigint, key?: bigint) => boolean,
): StateReader {
  const guarded =
    <Args extends readonly [bigint, ...bigint[]], T>(read: (...args: Args) => T) =>
    (...args: Args): T => {
      if (isLost(args[0], args[1])) throw new OriginError("ORIGIN_UNAVAILABLE", LOST, true);
      return read(...args);
    };
  return {
    storageAt: guarded((address: bigint, key: bigint) => state.storageAt(address, key)),
    nonceAt: guarded((address) => state.nonceAt(address)),
    classHashAt: guarded((address) => state.classHashAt(address)),
    compiledClassHashOf: guarded((classHash) => state.compiledClassHashOf(classHash)),
    executableClass: guarded((classHash) => state.executableClass(classHash)),
  };
}
