import { noArguments } from "../libfunc/arguments.ts";
import type { TypeInfo } from "../program/program.ts";
import { INTEGER_RANGES } from "./integer-range.ts";
import type { TypeRule } from "./type-scope.ts";

/** Info of types whose values can be copied and dropped. */
export const VALUE_INFO: TypeInfo = {
  storable: true,
  droppable: true,
  duplicatable: true,
  zeroSized: false,
};

/** Info of types whose values can be neither copied nor dropped: each is consumed once. */
export const LINEAR_INFO: TypeInfo = {
  storable: true,
  droppable: false,
  duplicatable: false,
  zeroSized: false,
};

const VALUE_TYPES = [
  "felt252",
  "bytes31",
  "qm31",
  "BuiltinCosts",
  "EcPoint",
  "EcState",
  "Blake2sState",
  "ClassHash",
  "ContractAddress",
  "StorageAddress",
  "StorageBaseAddress",
  "Secp256k1Point",
  "Secp256r1Point",
  "Sha256StateHandle",
  "Sha512StateHandle",
  "CircuitModulus",
];

const LINEAR_TYPES = [
  "GasBuiltin",
  "System",
  "RangeCheck",
  "RangeCheck96",
  "Pedersen",
  "Poseidon",
  "Bitwise",
  "EcOp",
  "SegmentArena",
  "AddMod",
  "MulMod",
  "U128MulGuarantee",
  "U96Guarantee",
  "CircuitFailureGuarantee",
];

/** Types without arguments, by generic id. */
export const PLAIN_TYPES: readonly (readonly [string, TypeRule])[] = [
  ...VALUE_TYPES.map((id) => [id, plain(VALUE_INFO)] as const),
  ...LINEAR_TYPES.map((id) => [id, plain(LINEAR_INFO)] as const),
  ["GasReserve", plain({ ...LINEAR_INFO, droppable: true })],
  ...[...INTEGER_RANGES].map(([id, range]): readonly [string, TypeRule] => [
    id,
    (_, args) => {
      noArguments(args);
      return { info: VALUE_INFO, data: { kind: "integer", range } };
    },
  ]),
];

function plain(info: TypeInfo): TypeRule {
  return (_, args) => {
    noArguments(args);
    return { info, data: { kind: "plain" } };
  };
}
