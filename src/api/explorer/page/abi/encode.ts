import type { Abi } from "./model.ts";
import { AbiError } from "./abi-error.ts";
import { Encoder } from "./encoder.ts";
import { hexOf } from "./felt.ts";
import type { FormValue } from "./form-text.ts";
import { type Field, LENGTHS } from "./read-entry.ts";
import { typeNameOf } from "./type-name.ts";

export type { FormValue } from "./form-text.ts";

/**
 * Encodes values for the parameters of a function. Lists, tuples, structures and enumerations are JSON values, or texts
 * of JSON as a form has them. The length of a Cairo 0 array may be absent: it follows from the array.
 *
 * @param values - by name of the parameter
 * @returns felts in hex
 * @throws {AbiError} names the parameter and the expected form
 */
export function encodeValues(
  abi: Abi,
  fields: readonly Field[],
  values: Readonly<Record<string, FormValue>>,
): readonly string[] {
  const encoder = new Encoder(abi);
  fields.forEach((field, i) => {
    const { name, type } = field;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const next = fields[i + 1];
    if (next !== undefined && isLengthOf(field, next)) {
      const length = encoder.elementsOf(
        typeNameOf(next.type),
        values[next.name] ?? null,
        next.name,
      );
      if (value !== undefined && value !== length && value !== String(length)) {
        throw new AbiError(name, `expected ${length}, the length of ${next.name}`);
      }
      return encoder.felts.push(BigInt(length));
    }
    if (value === undefined) throw new AbiError(name, `a value of type ${type} is missing`);
    return encoder.encode(typeNameOf(type), value, name);
  });
  return encoder.felts.map((felt) => hexOf(felt));
}

/**
 * Encodes one value.
 *
 * @returns felts in hex
 * @throws {AbiError} names the place in the value and the expected form
 */
export function encodeValue(abi: Abi, { name, type }: Field, value: FormValue): readonly string[] {
  const encoder = new Encoder(abi);
  encoder.encode(typeNameOf(type), value, name);
  return encoder.felts.map((felt) => hexOf(felt));
}

/** Whether a parameter is the length of the Cairo 0 array after it. */
export function isLengthOf(field: Field, next: Field): boolean {
  return next.type.endsWith("*") && LENGTHS.some((end) => field.name === next.name + end);
}
