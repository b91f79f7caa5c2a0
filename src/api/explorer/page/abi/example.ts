import type { Abi } from "./model.ts";
import { membersOf, variantsOf } from "./declared.ts";
import { ARRAYS, BYTE_ARRAY, scalarOf, WIDE, WRAPPERS } from "./primitives.ts";
import type { TypeMember, TypeName } from "./type-name.ts";

/** Depth and number of members that an example shows. */
const MAX_DEPTH = 3;
const MAX_MEMBERS = 6;

/** Returns an example of the form of a type's values, as forms accept it: `[{"to": 1, "amount": 1}]`. */
export function exampleOf(abi: Abi, type: TypeName, depth = 0): string {
  if (depth > MAX_DEPTH) return "…";
  const inner = (one: TypeName): string => exampleOf(abi, one, depth + 1);
  switch (type.kind) {
    case "tuple":
      return `[${listed(type.members, ({ type: one }) => inner(one))}]`;
    case "fixed":
      return type.length === 1 ? `[${inner(type.of)}]` : `[${inner(type.of)}, …]`;
    case "pointer":
      return `[${inner(type.of)}]`;
    case "unknown":
      return "…";
    case "named":
      return namedExample(abi, type, inner);
  }
}

function namedExample(
  abi: Abi,
  type: TypeName & { readonly kind: "named" },
  inner: (one: TypeName) => string,
): string {
  const { base, args } = type;
  const [first] = args;
  if (base === "core::bool") return "true";
  if (scalarOf(base) !== undefined || WIDE.has(base)) return "1";
  if (base === BYTE_ARRAY) return '"text"';
  if (first !== undefined && ARRAYS.has(base)) return `[${inner(first)}]`;
  if (first !== undefined && WRAPPERS.has(base)) return inner(first);
  const [variant] = variantsOf(abi, type) ?? [];
  if (variant !== undefined) {
    const isUnit = variant.type.kind === "tuple" && variant.type.members.length === 0;
    return isUnit ? `"${variant.name}"` : `{"${variant.name}": ${inner(variant.type)}}`;
  }
  const members = membersOf(abi, type);
  if (members === undefined) return "…";
  return `{${listed(members, ({ name, type: one }) => `"${name}": ${inner(one)}`)}}`;
}

function listed(members: readonly TypeMember[], textOf: (member: TypeMember) => string): string {
  const shown = members.slice(0, MAX_MEMBERS).map((member) => textOf(member));
  return [...shown, ...(members.length > MAX_MEMBERS ? ["…"] : [])].join(", ");
}
