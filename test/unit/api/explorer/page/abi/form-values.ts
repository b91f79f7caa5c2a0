import fc from "fast-check";
import { type BigNumberish, cairo, CairoCustomEnum, CairoOption, CairoResult } from "starknet";
import type { Abi, AbiFunction } from "#api/explorer/page/abi/abi.ts";
import type { Decoded } from "#api/explorer/page/abi/decode.ts";
import { membersOf, variantsOf } from "#api/explorer/page/abi/declared.ts";
import { type FormValue, isLengthOf } from "#api/explorer/page/abi/encode.ts";
import {
  ARRAYS,
  BYTE_ARRAY,
  NON_ZERO,
  scalarOf,
  WIDE,
  WRAPPERS,
} from "#api/explorer/page/abi/primitives.ts";
import type { Field } from "#api/explorer/page/abi/read-entry.ts";
import { shortString, shortStringFelt } from "#api/explorer/page/abi/scalar-text.ts";
import { type TypeMember, type TypeName, typeNameOf } from "#api/explorer/page/abi/type-name.ts";

/** Value as a form of the page has it, and as starknet.js takes it. */
export interface PairedValue {
  readonly form: FormValue;
  readonly js: unknown;
}

type Pairs = fc.Arbitrary<PairedValue>;
type Named = TypeName & { readonly kind: "named" };

/** Depth below which lists are empty. */
const MAX_DEPTH = 4;

/** Values of a function's parameters, by name, without the lengths of Cairo 0 arrays. */
export function argumentsOf(
  abi: Abi,
  { inputs }: Pick<AbiFunction, "inputs">,
): fc.Arbitrary<Readonly<Record<string, PairedValue>>> {
  const fields = inputs.filter((field, i) => !isLength(field, inputs[i + 1]));
  return fc.record(
    Object.fromEntries(fields.map(({ name, type }) => [name, pairs(abi, typeNameOf(type), 0)])),
  );
}

/** Whether a parameter is the length of the next one. */
export function isLength(field: Field, next: Field | undefined): boolean {
  return next !== undefined && isLengthOf(field, next);
}

/** Returns a decoded value in the form that {@link argumentsOf} gives. */
export function formOf({ kind, type, text, children }: Decoded): FormValue {
  switch (kind) {
    case "list":
      return children.map((child) => formOf(child));
    case "record":
      return type.startsWith("(")
        ? children.map((child) => formOf(child))
        : Object.fromEntries(children.map((child) => [child.name, formOf(child)]));
    case "variant": {
      const [payload] = children;
      return payload === undefined ? text : { [text]: formOf(payload) };
    }
    default:
      return text;
  }
}

/** Decoded value in the form of {@link plainOf}. */
export function plainDecoded({ kind, type, text, children }: Decoded): unknown {
  switch (kind) {
    case "list":
      return children.map((child) => plainDecoded(child));
    case "record":
      return children.length > 0 &&
        type.startsWith("(") &&
        children.every(({ name }) => name === "")
        ? children.map((child) => plainDecoded(child))
        : Object.fromEntries(children.map((child) => [child.name, plainDecoded(child)]));
    case "variant": {
      const [payload] = children;
      return { [text]: payload === undefined ? null : plainDecoded(payload) };
    }
    case "text":
      return text;
    default:
      if (type === "Uint256") {
        return { low: BigInt(text) % (1n << 128n), high: BigInt(text) >> 128n };
      }
      if (type === "core::bytes_31::bytes31") return shortString(text, 1) ?? "";
      return type === "core::bool" ? text === "true" : BigInt(text);
  }
}

/** Value that starknet.js decoded, without its classes. */
export function plainOf(value: unknown): unknown {
  if (value instanceof CairoOption) {
    return value.isSome() ? { Some: plainOf(value.unwrap()) } : { None: null };
  }
  if (value instanceof CairoResult) {
    return { [value.isOk() ? "Ok" : "Err"]: plainOf(value.unwrap()) };
  }
  if (value instanceof CairoCustomEnum) {
    const content = plainOf(value.unwrap());
    const isUnit = typeof content === "object" && Object.keys(content ?? {}).length === 0;
    return { [value.activeVariant()]: isUnit ? null : content };
  }
  if (Array.isArray(value)) return value.map((one) => plainOf(one));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const isTuple = entries.length > 0 && entries.every(([name], i) => name === String(i));
  return isTuple
    ? entries.map(([, one]) => plainOf(one))
    : Object.fromEntries(entries.map(([name, one]) => [name, plainOf(one)]));
}

function pairs(abi: Abi, type: TypeName, depth: number): Pairs {
  switch (type.kind) {
    case "named":
      return named(abi, type, depth);
    case "tuple":
      return tuple(abi, type.members, depth);
    case "fixed":
      return list(abi, type.of, depth, { minLength: type.length, maxLength: type.length });
    case "pointer":
      return list(abi, type.of, depth, { maxLength: 3 });
    case "unknown":
      throw new TypeError(`no type: ${type.text}`);
  }
}

function named(abi: Abi, type: Named, depth: number): Pairs {
  const { base, args } = type;
  const scalar = scalarOf(base);
  if (scalar?.kind === "bytes31") {
    // starknet.js reads a text of digits as a number.
    return fc.string({ maxLength: 30 }).map((text) => {
      const js = `a${text}`;
      return { form: `0x${(shortStringFelt(js) ?? 0n).toString(16)}`, js };
    });
  }
  if (scalar?.kind === "bool") return fc.boolean().map((js) => ({ form: String(js), js }));
  if (scalar !== undefined) {
    const [min = scalar.min, max = scalar.max] = args.map(({ text }) => BigInt(text));
    return fc.bigInt(min, max).map((js) => ({
      form: scalar.kind === "int" ? js.toString() : `0x${js.toString(16)}`,
      js,
    }));
  }
  const wide = WIDE.get(base);
  if (wide !== undefined) {
    const max = (1n << BigInt(wide.limbs * wide.bitsPerLimb)) - 1n;
    return fc
      .bigInt(0n, max)
      .map((js) => ({ form: js.toString(), js: wideOf(js, type, wide.bitsPerLimb) }));
  }
  if (base === BYTE_ARRAY)
    return fc.string({ unit: "grapheme", maxLength: 80 }).map((js) => ({ form: js, js }));
  const [first] = args;
  if (first !== undefined && ARRAYS.has(base)) return list(abi, first, depth, { maxLength: 3 });
  if (first !== undefined && WRAPPERS.has(base)) {
    const inner = pairs(abi, first, depth + 1);
    return base === NON_ZERO ? inner.filter(({ js }) => js !== 0n) : inner;
  }
  const variants = variantsOf(abi, type);
  if (variants !== undefined) return variant(abi, type, variants, depth);
  const members = membersOf(abi, type);
  if (base.endsWith("::Secp256k1Point")) {
    return fc
      .tuple(...[0, 1].map(() => fc.bigInt(0n, (1n << 256n) - 1n)))
      .map(([x = 0n, y = 0n]) => ({
        form: { x: x.toString(), y: y.toString() },
        js: (x << 256n) + y,
      }));
  }
  if (members === undefined) throw new TypeError(`not declared: ${type.text}`);
  return fc
    .record(Object.fromEntries(members.map((one) => [one.name, pairs(abi, one.type, depth + 1)])))
    .map((values) => byName(values));
}

/** Cairo 0 and u384 have no integer type in starknet.js: their limbs are given. */
function wideOf(value: bigint, { base }: Named, bits: number): unknown {
  if (base === "Uint256") return { low: value % (1n << 128n), high: value >> 128n };
  if (base !== "core::circuit::u384") return value;
  const limbs = [0, 1, 2, 3].map((i) => (value >> BigInt(bits * i)) % (1n << BigInt(bits)));
  return Object.fromEntries(limbs.map((limb, i) => [`limb${i}`, limb]));
}

function byName(values: Readonly<Record<string, PairedValue>>): PairedValue {
  const entries = Object.entries(values);
  return {
    form: Object.fromEntries(entries.map(([name, { form }]) => [name, form])),
    js: Object.fromEntries(entries.map(([name, { js }]) => [name, js])),
  };
}

function list(abi: Abi, of: TypeName, depth: number, sizes: fc.ArrayConstraints): Pairs {
  const isFixed = sizes.minLength !== undefined;
  if (depth > MAX_DEPTH && !isFixed) return fc.constant({ form: [], js: [] });
  return fc.array(pairs(abi, of, depth + 1), sizes).map((values) => ({
    form: values.map(({ form }) => form),
    js: values.map(({ js }) => js),
  }));
}

function tuple(abi: Abi, members: readonly TypeMember[], depth: number): Pairs {
  return fc.tuple(...members.map(({ type }) => pairs(abi, type, depth + 1))).map((values) => ({
    form: values.map(({ form }) => form),
    js:
      members.every(({ name }) => name !== "") && members.length > 0
        ? Object.fromEntries(members.map(({ name }, i) => [name, values[i]?.js]))
        : cairo.tuple(...(values.map(({ js }) => js) as BigNumberish[])),
  }));
}

function variant(abi: Abi, { base }: Named, variants: readonly TypeMember[], depth: number): Pairs {
  return fc.oneof(
    ...variants.map(({ name, type }, i): Pairs => {
      const isUnit = type.kind === "tuple" && type.members.length === 0;
      const payload: Pairs = isUnit
        ? fc.constant({ form: null, js: {} })
        : pairs(abi, type, depth + 1);
      return payload.map(({ form, js }) => ({
        form: isUnit ? name : { [name]: form },
        js: enumOf(base, variants, i, isUnit && base.endsWith("Option") ? undefined : js),
      }));
    }),
  );
}

function enumOf(
  base: string,
  variants: readonly TypeMember[],
  index: number,
  content: unknown,
): unknown {
  if (base === "core::option::Option") return new CairoOption(index, content);
  if (base === "core::result::Result") return new CairoResult(index, content);
  const entries = variants.map(({ name }, i) => [name, i === index ? content : undefined]);
  return new CairoCustomEnum(Object.fromEntries(entries));
}
