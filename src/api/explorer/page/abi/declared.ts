import type { Abi } from "./model.ts";
import type { Field } from "./read-entry.ts";
import { type TypeMember, type TypeName, typeNameOf } from "./type-name.ts";

/** Unit type, of variants without value. */
const UNIT: TypeName = { kind: "tuple", text: "()", members: [] };

/** Generic enumerations of the core library, for ABIs that do not declare them. */
const CORE_VARIANTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["core::option::Option", ["Some", "None"]],
  ["core::result::Result", ["Ok", "Err"]],
]);

/** Points on the curves of Ethereum and of passkeys, which ABIs do not declare: two coordinates. */
const POINT = /^core::starknet::secp256[kr]1::Secp256[kr]1Point$/;

/** Returns the variants of an enumeration, in order; `undefined` for other types. */
export function variantsOf(
  abi: Abi,
  { text, base, args }: TypeName & { readonly kind: "named" },
): readonly TypeMember[] | undefined {
  const declared = abi.enums.get(text);
  if (declared !== undefined) return declared.map((field) => memberOf(field));
  return CORE_VARIANTS.get(base)?.map((name, i) => ({ name, type: args[i] ?? UNIT }));
}

/** Returns the members of a structure; `undefined` for other types. */
export function membersOf(
  abi: Abi,
  { text }: TypeName & { readonly kind: "named" },
): readonly TypeMember[] | undefined {
  const declared = abi.structs.get(text);
  if (declared !== undefined) return declared.map((field) => memberOf(field));
  if (!POINT.test(text)) return undefined;
  return ["x", "y"].map((name) => ({ name, type: typeNameOf("core::integer::u256") }));
}

function memberOf({ name, type }: Field): TypeMember {
  return { name, type: typeNameOf(type) };
}
