import type { GenericArgument } from "../program/program.ts";

const KIND_LETTERS: Readonly<Record<GenericArgument["kind"], string>> = {
  user_type: "u",
  type: "t",
  value: "v",
  function: "f",
  libfunc: "l",
};

/**
 * Unique text for a generic id and its arguments. The generic id must be a known one, which contains none of
 * the delimiters.
 */
export function longId(genericId: string, args: readonly GenericArgument[]): string {
  return `${genericId}<${args.map((each) => KIND_LETTERS[each.kind] + argumentText(each)).join()}>`;
}

function argumentText(argument: GenericArgument): string {
  switch (argument.kind) {
    case "user_type":
      return argument.id;
    case "type":
      return String(argument.type);
    case "value":
      return String(argument.value);
    case "function":
      return String(argument.function);
    case "libfunc":
      return String(argument.libfunc);
  }
}
