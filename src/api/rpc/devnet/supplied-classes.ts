import {
  array,
  convert,
  type Decoder,
  felt,
  isJsonObject,
  keywordsOf,
  mismatch,
  strictObject,
} from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type PackedLegacyClass,
  type SierraClass,
  sierraClassCodec,
} from "#protocol/chain/index.ts";
import type { StateChange } from "#services/sequencer/index.ts";
import { legacyClass } from "../spec/v0_10/legacy-class.ts";

/** Class that a request supplies, with the hashes that it must have. */
export interface SuppliedClass {
  readonly contractClass: SierraClass | PackedLegacyClass;
  readonly classHash: Felt | undefined;
  readonly compiledClassHash: Felt | undefined;
}

/** Change of the state as requested: its classes are not compiled yet. */
export type StateDiffRequest = Omit<StateChange, "classes"> & {
  readonly classes: readonly SuppliedClass[];
};

/** Maximum classes of a request: each is compiled. */
const MAX_CLASSES = 32;

const sentClass: Decoder<SierraClass | PackedLegacyClass> = {
  describe: "contract class",
  schema: { oneOf: [keywordsOf(sierraClassCodec.schema), keywordsOf(legacyClass.schema)] },
  decode(value, path) {
    if (!isJsonObject(value)) return mismatch(path, "contract class", value);
    const codec = "sierra_program" in value ? sierraClassCodec : legacyClass;
    return codec.decode(value, path);
  },
};

const suppliedClass = strictObject(
  { contract_class: sentClass },
  { class_hash: felt, compiled_class_hash: felt },
);

/** Decoder of the classes that a state diff declares, in the form of starknet-devnet. */
export const suppliedClasses: Decoder<readonly SuppliedClass[]> = convert(
  array(suppliedClass),
  `array of at most ${MAX_CLASSES} classes`,
  (classes) =>
    classes.length > MAX_CLASSES
      ? undefined
      : classes.map((one) => ({
          contractClass: one.contract_class,
          classHash: one.class_hash,
          compiledClassHash: one.compiled_class_hash,
        })),
);
