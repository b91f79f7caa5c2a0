import { hexFromFelt } from "#base/primitives/index.ts";
import type { ReceivedClass, StateDiff } from "#protocol/chain/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { classRefusal } from "./check-class.ts";
import { classesOf } from "./checked-block.ts";
import { refusalOf } from "./refusal.ts";

/**
 * Maximum length of a Cairo 0 class in characters. A decoded definition takes far more memory than its text,
 * and it is decoded before its origin is verified. Classes of the public networks have a tenth of it.
 */
export const MAX_LEGACY_LENGTH = 32 * 2 ** 20;

/**
 * Checks the classes that came with a block: each must be needed by the block and have its hash.
 *
 * @throws {DecodeError} for a class that cannot be read
 */
export function checkCarriedClasses(
  blockNumber: number,
  stateDiff: StateDiff,
  classes: readonly ReceivedClass[],
): SyncRefusal | undefined {
  if (classes.length === 0) return undefined;
  const needed = new Map(classesOf(stateDiff).map((each) => [each.classHash, each]));
  for (const { classHash, contractClass, casmJson } of classes) {
    const field = `class ${hexFromFelt(classHash)}`;
    const declared = needed.get(classHash);
    if (declared === undefined) {
      const difference = { expected: "one that the block declares", found: "another one" };
      return refusalOf(blockNumber, { check: "class_hash", field, ...difference });
    }
    if (contractClass.kind === "legacy" && casmJson !== null) {
      const difference = { expected: "no compiled code", found: "some" };
      return refusalOf(blockNumber, { check: "form", field, ...difference });
    }
    if (contractClass.kind === "legacy" && contractClass.json.length > MAX_LEGACY_LENGTH) {
      const expected = `at most ${MAX_LEGACY_LENGTH} characters`;
      const found = contractClass.json.length;
      return refusalOf(blockNumber, { check: "form", field, expected, found });
    }
    const refusal = classRefusal(blockNumber, declared, contractClass);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
