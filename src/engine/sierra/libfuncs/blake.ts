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

/** Number of 32-bit words in a state. */
const STATE_WORDS = 8;

/** Number of words in a message block. */
const BLOCK_WORDS = 16;

type TypeOf = (context: SpecializationContext) => number;

const word: TypeOf = (context) => context.find("u32");

/** Guarantee of a 32-bit word; the instruction itself verifies it. */
const wordGuarantee: TypeOf = (context) =>
  context.find("BoundedIntGuarantee", boundArgs(0n, 2n ** 32n - 1n));

/** Blake2s compression of one block: maps a state, the byte count so far and the block to a new state. */
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

/** Emits one instruction; the cost of the builtin includes its step. */
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
