import type { CellExpression } from "../casm/cell-expression.ts";
import type { Hint } from "../casm/hint.ts";
import { apCell, type CellRef, deref, immediate } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import { known } from "../libfunc/ap-change.ts";
import { noArguments } from "../libfunc/arguments.ts";
import { regularCost } from "../libfunc/branch-cost.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import { straight, tempOutput } from "../libfunc/signatures.ts";
import type {
  LibfuncFamily,
  SpecializationContext,
  Specialize,
} from "../libfunc/specialization.ts";
import { boundArgs } from "./shared/integer-ranges.ts";
import { boxOf, fixedSizeArrayOf } from "./shared/types.ts";

/** Words of a state, of 32 bits. */
const STATE_WORDS = 8;

/** Words of a block of a message. */
const BLOCK_WORDS = 16;

type TypeOf = (context: SpecializationContext) => number;

const word: TypeOf = (context) => context.find("u32");

/** What must still be shown to be a word: the instruction itself shows it. */
const wordGuarantee: TypeOf = (context) =>
  context.find("BoundedIntGuarantee", boundArgs(0n, 2n ** 32n - 1n));

/** Blake2s of one block: takes a state, the count of bytes so far and the block; gives a new state. */
function compression(isLast: boolean, wordOfBlock: TypeOf): Specialize {
  return (context, args) => {
    noArguments(args);
    const count = word(context);
    const state = boxOf(context, fixedSizeArrayOf(context, count, STATE_WORDS));
    const block = boxOf(context, fixedSizeArrayOf(context, wordOfBlock(context), BLOCK_WORDS));
    return {
      signature: straight([state, count, block], [tempOutput(state, 0)], "new_vars_only"),
      apChanges: () => [known(1)],
      costs: () => [regularCost({}, { Blake: 1 })],
      build: (invocation) => buildCompression(invocation, isLast),
    };
  };
}

/** One instruction, whose step the cost of the builtin covers. */
function buildCompression(invocation: InvocationBuilder, isLast: boolean): CompiledInvocation {
  const [state, byteCount, message] = invocation.singles().map(cellOf);
  if (state === undefined || byteCount === undefined || message === undefined) return refuse();
  const allocation: Hint = {
    name: "AllocConstantSize",
    fields: [
      ["size", { kind: "input", value: immediate(STATE_WORDS) }],
      ["dst", { kind: "output", cell: apCell(0) }],
    ],
  };
  const instruction = {
    body: { kind: "blake2s_compress", state, byteCount, message, finalize: isLast },
    incAp: true,
    hints: [allocation],
  } as const;
  return invocation.finishPlain([instruction], [], [[[deref(apCell(-1))]]]);
}

function cellOf(argument: CellExpression): CellRef {
  return argument.kind === "deref" ? argument.cell : refuse();
}

function refuse(): never {
  throw new CompileError("SIERRA_INVALID", "an argument of a Blake2s libfunc is not a cell");
}

/** Libfuncs of Blake2s. */
export const BLAKE_LIBFUNCS: LibfuncFamily = {
  blake2s_compress: compression(false, word),
  blake2s_finalize: compression(true, word),
  blake2s_compress_guarantees: compression(false, wordGuarantee),
  blake2s_finalize_guarantees: compression(true, wordGuarantee),
};
