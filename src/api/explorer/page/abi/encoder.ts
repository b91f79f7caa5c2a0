import type { Abi } from "./model.ts";
import { AbiError } from "./abi-error.ts";
import { byteArrayFelts } from "./byte-array.ts";
import { membersOf, variantsOf } from "./declared.ts";
import { scalarFelt, wideFelts } from "./encode-scalar.ts";
import { exampleOf } from "./example.ts";
import { formJson, type FormValue } from "./form-text.ts";
import { ARRAYS, BYTE_ARRAY, NON_ZERO, scalarOf, WIDE, WRAPPERS } from "./primitives.ts";
import type { TypeMember, TypeName } from "./type-name.ts";

const MAX_DEPTH = 64;
/** Maximum number of felts of one call. */
const MAX_FELTS = 1_000_000;

type FormObject = { readonly [name: string]: FormValue };

/** Writes the felts of values, one after another. */
export class Encoder {
  readonly felts: bigint[] = [];
  readonly #abi: Abi;

  constructor(abi: Abi) {
    this.#abi = abi;
  }

  /** @throws {AbiError} names the place and the expected form */
  encode(type: TypeName, value: FormValue, place: string, depth = 0): void {
    if (depth > MAX_DEPTH) throw new AbiError(place, `nests deeper than ${MAX_DEPTH} values`);
    if (this.felts.length > MAX_FELTS) throw new AbiError(place, `more than ${MAX_FELTS} felts`);
    switch (type.kind) {
      case "named":
        return this.#named(type, value, place, depth);
      case "tuple":
        return this.#tuple(type, value, place, depth);
      case "fixed":
        return this.#list(type.of, this.#listOf(type, value, place, type.length), place, depth);
      case "pointer":
        return this.#list(type.of, this.#listOf(type, value, place), place, depth);
      case "unknown":
        throw new AbiError(place, `“${type.text.slice(0, 60)}” is no type`);
    }
  }

  /** Returns the number of elements of a list. @throws {AbiError} when the value is no list */
  elementsOf(type: TypeName, value: FormValue, place: string): number {
    return this.#listOf(type, value, place).length;
  }

  #named(
    type: TypeName & { readonly kind: "named" },
    value: FormValue,
    place: string,
    depth: number,
  ): void {
    const { base, text, args } = type;
    const scalar = scalarOf(base);
    if (scalar !== undefined) return void this.felts.push(scalarFelt(scalar, value, place, text));
    const wide = WIDE.get(base);
    if (wide !== undefined) {
      const read = typeof value === "string" && value.trim().startsWith("{");
      const parts = read ? this.#json(type, value, place) : value;
      return void this.felts.push(...wideFelts(wide, parts, place, text));
    }
    if (base === BYTE_ARRAY) return this.#byteArray(value, place);
    const [first] = args;
    if (first !== undefined && ARRAYS.has(base)) {
      const list = this.#listOf(type, value, place);
      this.felts.push(BigInt(list.length));
      return this.#list(first, list, place, depth);
    }
    if (first !== undefined && WRAPPERS.has(base)) {
      const start = this.felts.length;
      this.encode(first, value, place, depth + 1);
      if (base === NON_ZERO && this.felts.slice(start).every((felt) => felt === 0n)) {
        throw new AbiError(place, "expected a value other than 0");
      }
      return;
    }
    const variants = variantsOf(this.#abi, type);
    if (variants !== undefined) return this.#variant(type, variants, value, place, depth);
    const members = membersOf(this.#abi, type);
    if (members === undefined) throw new AbiError(place, `the ABI does not declare ${text}`);
    this.#members(type, members, value, place, depth);
  }

  #byteArray(value: FormValue, place: string): void {
    if (typeof value !== "string") throw new AbiError(place, "expected a text");
    for (const felt of byteArrayFelts(value)) this.felts.push(felt);
  }

  #list(of: TypeName, list: readonly FormValue[], place: string, depth: number): void {
    list.forEach((one, i) => this.encode(of, one, `${place}[${i}]`, depth + 1));
  }

  #tuple(
    type: TypeName & { readonly kind: "tuple" },
    value: FormValue,
    place: string,
    depth: number,
  ): void {
    const { members } = type;
    const read = this.#json(type, value, place);
    const isNamed = members.length > 0 && members.every(({ name }) => name !== "");
    if (isNamed && !Array.isArray(read)) return this.#members(type, members, read, place, depth);
    const list = this.#listOf(type, read, place, members.length);
    members.forEach((member, i) => {
      this.encode(member.type, list[i] ?? null, `${place}[${i}]`, depth + 1);
    });
  }

  #members(
    type: TypeName,
    members: readonly TypeMember[],
    value: FormValue,
    place: string,
    depth: number,
  ): void {
    const object = this.#objectOf(type, value, place);
    const unknown = Object.keys(object).find((key) => !members.some(({ name }) => name === key));
    if (unknown !== undefined) throw new AbiError(place, `${type.text} has no member ${unknown}`);
    for (const member of members) {
      const at = `${place}.${member.name}`;
      const one = Object.hasOwn(object, member.name) ? object[member.name] : undefined;
      if (one === undefined)
        throw new AbiError(at, `a value of type ${member.type.text} is missing`);
      this.encode(member.type, one, at, depth + 1);
    }
  }

  #variant(
    type: TypeName,
    variants: readonly TypeMember[],
    value: FormValue,
    place: string,
    depth: number,
  ): void {
    const read = this.#json(type, value, place);
    const entries =
      typeof read === "string" ? [] : Object.entries(this.#objectOf(type, read, place));
    const [chosen = "", payload] = typeof read === "string" ? [read.trim()] : (entries[0] ?? []);
    const index = variants.findIndex(({ name }) => name === chosen);
    const variant = variants[index];
    if (variant === undefined || entries.length > 1) {
      const names = variants.map(({ name }) => name).join(", ");
      throw new AbiError(place, `expected one of ${names}, such as ${exampleOf(this.#abi, type)}`);
    }
    this.felts.push(BigInt(index));
    const isUnit = variant.type.kind === "tuple" && variant.type.members.length === 0;
    if (payload === undefined && !isUnit) {
      throw new AbiError(
        place,
        `expected {"${chosen}": …} with a value of type ${variant.type.text}`,
      );
    }
    if (!isUnit) this.encode(variant.type, payload ?? null, `${place}.${chosen}`, depth + 1);
  }

  #listOf(type: TypeName, value: FormValue, place: string, length?: number): readonly FormValue[] {
    const read = this.#json(type, value, place);
    if (!Array.isArray(read)) {
      throw new AbiError(
        place,
        `expected a list for ${type.text}, such as ${exampleOf(this.#abi, type)}`,
      );
    }
    const list = read as readonly FormValue[];
    if (length !== undefined && list.length !== length) {
      throw new AbiError(place, `expected ${length} elements, not ${list.length}`);
    }
    return list;
  }

  #objectOf(type: TypeName, value: FormValue, place: string): FormObject {
    const read = this.#json(type, value, place);
    if (typeof read === "object" && read !== null && !Array.isArray(read))
      return read as FormObject;
    throw new AbiError(
      place,
      `expected an object for ${type.text}, such as ${exampleOf(this.#abi, type)}`,
    );
  }

  /** Reads the JSON of a form's text; other values are unchanged. */
  #json(type: TypeName, value: FormValue, place: string): FormValue {
    if (typeof value !== "string" || !/^\s*["[{]/.test(value)) return value;
    return formJson(value, place, exampleOf(this.#abi, type));
  }
}
