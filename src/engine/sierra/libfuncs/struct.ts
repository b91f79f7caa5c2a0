import { type CellExpression, cellPlus, cellWithOffset } from "../casm/cell-expression.ts";
import { isOffset } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import { typeArgument } from "../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import type { OutputVariable } from "../libfunc/signature.ts";
import { deferredOutput, emptyOutput, sameOutput, straight } from "../libfunc/signatures.ts";
import type {
  LibfuncFamily,
  SpecializationContext,
  Specialize,
} from "../libfunc/specialization.ts";
import { FREE } from "./shared/steady.ts";
import { boxOf, membersOf, snapshotOf, withoutSnapshot } from "./shared/types.ts";

/** Libfuncs of structs, whose cells are the consecutive cells of their members. */
export const STRUCT_LIBFUNCS: LibfuncFamily = {
  struct_boxed_deconstruct: boxedDeconstruct,
  struct_construct: construct,
  struct_deconstruct: (context, args) => {
    const type = typeArgument(args);
    return deconstruct(context, type, type, (member) => member);
  },
  struct_snapshot_deconstruct: (context, args) => {
    const type = typeArgument(args);
    const snapshot = snapshotOf(context, type);
    return deconstruct(context, type, snapshot, (member) => snapshotOf(context, member));
  },
};

function construct(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  const members = membersOf(context.typeOf(type));
  return {
    signature: straight(members, [constructedOutput(context, type, members)], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename([invocation.args.flat()]),
  };
}

/** Output location of a new struct: the member's cells if only one member has any. */
function constructedOutput(
  context: SpecializationContext,
  type: number,
  members: readonly number[],
): OutputVariable {
  if (context.typeOf(type).info.zeroSized) return emptyOutput(type);
  const sized = [...members.entries()].filter(
    ([, member]) => !context.typeOf(member).info.zeroSized,
  );
  const [only] = sized;
  return only !== undefined && sized.length === 1
    ? sameOutput(type, only[0])
    : deferredOutput(type);
}

function deconstruct(
  context: SpecializationContext,
  struct: number,
  param: number,
  outputType: (member: number) => number,
): ReturnType<Specialize> {
  const members = membersOf(context.typeOf(struct));
  const outputs = members.map((member) =>
    context.typeOf(member).info.zeroSized
      ? emptyOutput(outputType(member))
      : deferredOutput(outputType(member)),
  );
  return {
    signature: straight([param], outputs, "new_vars_only"),
    ...FREE,
    build: (invocation) => buildDeconstruct(invocation, members),
  };
}

function buildDeconstruct(
  invocation: InvocationBuilder,
  members: readonly number[],
): CompiledInvocation {
  const [cells = []] = invocation.args;
  let end = 0;
  const outputs = members.map((member) => {
    const start = end;
    end += invocation.info.sizeOf(member);
    return cells.slice(start, end);
  });
  if (end !== cells.length) refuse("is not of the size of the struct");
  return invocation.rename(outputs);
}

/** Returns boxes of the members of a boxed struct: additional pointers into the same memory. */
function boxedDeconstruct(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const argument = typeArgument(args);
  const { type, isSnapshot } = withoutSnapshot(context, argument);
  const members = membersOf(context.typeOf(type));
  const boxes = members.map((member) =>
    boxOf(context, isSnapshot ? snapshotOf(context, member) : member),
  );
  // All boxes up to the first member with cells equal the box of the struct.
  const firstSized = members.findIndex((member) => !context.typeOf(member).info.zeroSized);
  const outputs = boxes.map((box, i) =>
    firstSized < 0 || i <= firstSized ? sameOutput(box, 0) : deferredOutput(box),
  );
  return {
    signature: straight([boxOf(context, argument)], outputs, "new_vars_only"),
    ...FREE,
    build: (invocation) => buildBoxedDeconstruct(invocation, members),
  };
}

function buildBoxedDeconstruct(
  invocation: InvocationBuilder,
  members: readonly number[],
): CompiledInvocation {
  const [pointer] = invocation.singles();
  const parts = pointer === undefined ? undefined : cellWithOffset(pointer);
  if (parts === undefined) return refuse("is not a cell with a number");
  let offset = Number(parts.offset);
  const outputs = members.map((member): CellExpression[] => {
    const box = cellPlus(parts.cell, BigInt(offset));
    offset += invocation.info.sizeOf(member);
    return [box];
  });
  if (!isOffset(Number(parts.offset)) || !isOffset(offset)) refuse("is out of reach");
  return invocation.rename(outputs);
}

function refuse(problem: string): never {
  throw new CompileError("SIERRA_INVALID", `the argument of a struct libfunc ${problem}`);
}
