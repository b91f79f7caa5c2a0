import { hexFromFelt } from "#base/primitives/index.ts";
import { InvalidParamsError } from "../../decode-params.ts";
import { InvalidClassFault } from "../../errors.ts";
import { optional, required } from "../../method.ts";
import type { AppliedClass } from "../access.ts";
import { devnetMethod } from "../devnet-context.ts";
import { stateDiffOf } from "../state-diff.ts";
import { type SuppliedClass, suppliedClasses } from "../supplied-classes.ts";

const NO_CLASSES: readonly SuppliedClass[] = [];

/**
 * JSON-RPC method `devnet_applyStateDiff`: sets storage, nonces and classes without a transaction;
 * all of them, or none. Declares the supplied classes.
 */
export const applyStateDiff = devnetMethod({
  name: "devnet_applyStateDiff",
  family: "write",
  runsOn: "main",
  summary:
    "Sets storage, nonces and classes without a transaction; all of them, or none. Declares the supplied classes.",
  params: (spec) => ({
    state_diff: required(stateDiffOf(spec)),
    classes: optional(suppliedClasses, NO_CLASSES),
  }),
  result: () => encodeApplied,
  errors: ["CONTRACT_NOT_FOUND", "CLASS_HASH_NOT_FOUND"],
  async handler(context, { state_diff: diff, classes }, fail) {
    const outcome = await context.devnet.applyStateDiff({ ...diff.change, classes });
    if (outcome.kind === "applied") return outcome.classes;
    const { code, at, reason } = outcome;
    switch (code) {
      case "contract":
        return fail("CONTRACT_NOT_FOUND");
      case "class":
        return fail("CLASS_HASH_NOT_FOUND");
      case "definition":
        throw new InvalidClassFault(`${diff.pathOf(...at)}: ${reason}`);
      case "value":
        throw new InvalidParamsError(diff.pathOf(...at), "a value that fits the state", reason);
    }
  },
});

function encodeApplied(classes: readonly AppliedClass[]) {
  return {
    classes: classes.map(({ classHash, compiledClassHash }) => ({
      class_hash: hexFromFelt(classHash),
      ...(compiledClassHash === 0n ? {} : { compiled_class_hash: hexFromFelt(compiledClassHash) }),
    })),
  };
}
