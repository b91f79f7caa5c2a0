import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { GenericArgument } from "../program/program.ts";
import { userTypeId } from "../program/user-type.ts";
import { inRange, rangeOf } from "./integer-range.ts";
import { refuseArguments, type VisibleType, type TypeRule, type TypeScope } from "./type-scope.ts";

/**
 * Rule of `Const`: a type, and a value of it. The value is a number; for a struct, constants of its members;
 * for an enum, the variant and a constant of it; for `NonZero`, a constant; for `EcPoint`, x and y.
 */
export const constType: TypeRule = (scope, args) => {
  const { inner, value } = partsOf(args);
  checkValue(scope, scope.resolve(inner), value);
  return {
    info: { storable: false, droppable: false, duplicatable: false, zeroSized: false },
    data: { kind: "const", inner, args: value },
  };
};

/** Exclusive bound of addresses and class hashes as constants. */
const HASH_BOUND = 1n << 251n;

/** Coefficient of the Stark curve y^2 = x^3 + x + BETA. */
const BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;

interface Constant {
  readonly inner: number;
  readonly value: readonly GenericArgument[];
}

function checkValue(scope: TypeScope, type: VisibleType, value: readonly GenericArgument[]): void {
  switch (type.genericId) {
    case "Struct":
      return checkStruct(scope, type, value);
    case "Enum":
      return checkEnum(scope, type, value);
    case "NonZero":
      return checkNonZero(scope, type, value);
    case "EcPoint":
      return checkPoint(value);
    default:
      if (!inRange(numberOf(value), numbersOf(type))) {
        refuseArguments(`the number is out of range for ${type.genericId}`);
      }
  }
}

function numbersOf(type: VisibleType) {
  return type.genericId === "ContractAddress" || type.genericId === "ClassHash"
    ? { lower: 0n, upper: HASH_BOUND }
    : rangeOf(type);
}

function checkStruct(scope: TypeScope, type: VisibleType, value: readonly GenericArgument[]): void {
  const members = type.args.slice(1);
  if (members.length !== value.length) refuseArguments("expected a constant per member");
  members.forEach((member, index) => checkConstantOf(scope, member, value[index]));
}

function checkEnum(scope: TypeScope, type: VisibleType, value: readonly GenericArgument[]): void {
  const [variant, constant] = value;
  if (value.length !== 2 || variant?.kind !== "value" || variant.value < 0n) {
    return refuseArguments("expected a variant and a constant of it");
  }
  checkConstantOf(scope, type.args[Number(variant.value) + 1], constant);
}

function checkConstantOf(
  scope: TypeScope,
  type: GenericArgument | undefined,
  constant: GenericArgument | undefined,
): void {
  if (type?.kind !== "type" || constantOf(scope, constant).inner !== type.type) {
    refuseArguments("expected constants of the types of the parts");
  }
}

function checkNonZero(
  scope: TypeScope,
  type: VisibleType,
  value: readonly GenericArgument[],
): void {
  const [wrapped] = type.args;
  if (value.length !== 1) return refuseArguments("expected one constant");
  const constant = constantOf(scope, value[0]);
  if (type.args.length !== 1 || wrapped?.kind !== "type" || constant.inner !== wrapped.type) {
    return refuseArguments("expected a non-zero constant of the type");
  }
  if (!isNonZero(scope, scope.resolve(wrapped.type), constant.value)) {
    refuseArguments("expected a non-zero constant");
  }
}

function isNonZero(
  scope: TypeScope,
  type: VisibleType,
  value: readonly GenericArgument[],
): boolean {
  if (type.genericId === "EcPoint") {
    const [, y] = value;
    return (
      value.length === 2 && value[0]?.kind === "value" && y?.kind === "value" && y.value !== 0n
    );
  }
  if (type.genericId !== "Struct") {
    rangeOf(type);
    return numberOf(value) !== 0n;
  }
  const [name] = type.args;
  if (name?.kind !== "user_type" || limbsOf(name.id) !== value.length)
    return refuseArguments("this type has no non-zero constants");
  return value
    .map((limb) => {
      const constant = constantOf(scope, limb);
      if (scope.resolve(constant.inner).genericId !== "u128")
        refuseArguments("expected limbs of u128");
      return numberOf(constant.value);
    })
    .some((limb) => limb !== 0n);
}

/** Number of `u128` limbs in a wide integer type. */
function limbsOf(userType: string): number | undefined {
  if (userType === userTypeId("core::integer::u256")) return 2;
  return userType === userTypeId("core::integer::u512") ? 4 : undefined;
}

function checkPoint(value: readonly GenericArgument[]): void {
  const [x, y] = value;
  if (value.length !== 2 || x?.kind !== "value" || y?.kind !== "value") {
    return refuseArguments("expected x and y of a point");
  }
  // The neutral element, which is not on the curve.
  if (x.value === 0n && y.value === 0n) return;
  const field = { lower: 0n, upper: FIELD_PRIME };
  if (!inRange(x.value, field) || !inRange(y.value, field) || !isOnCurve(x.value, y.value)) {
    refuseArguments("the point is not on the curve");
  }
}

function isOnCurve(x: bigint, y: bigint): boolean {
  return (x * x * x + x + BETA - y * y) % FIELD_PRIME === 0n;
}

function constantOf(scope: TypeScope, argument: GenericArgument | undefined): Constant {
  if (argument?.kind !== "type") return refuseArguments("expected a constant");
  const { genericId, args } = scope.resolve(argument.type);
  return genericId === "Const" ? partsOf(args) : refuseArguments("expected a constant");
}

function partsOf([type, ...value]: readonly GenericArgument[]): Constant {
  return type?.kind === "type"
    ? { inner: type.type, value }
    : refuseArguments("expected a type and a value of it");
}

function numberOf(value: readonly GenericArgument[]): bigint {
  const [number] = value;
  return value.length === 1 && number?.kind === "value"
    ? number.value
    : refuseArguments("expected a number");
}
