import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { constGas } from "../../libfunc/branch-cost.ts";
import { bufferInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "../shared/steady.ts";
import { ARENA_SEGMENT_COST } from "./costs.ts";
import { DICT_INFO_CELLS } from "./layout.ts";
import { dictOf } from "./types.ts";

/**
 * Specializes `felt252_dict_new`: creates an empty dictionary, a new segment that is registered in
 * the arena.
 */
export const felt252DictNew: Specialize = (context, args) => {
  const dict = dictOf(context, typeArgument(args));
  const arena = context.find("SegmentArena");
  return {
    signature: straight([arena], [builtinOutput(arena), deferredOutput(dict)], "other"),
    ...steady({ ap: 6, steps: 9 + ARENA_SEGMENT_COST.steps }),
    build: buildNew,
  };
};

function buildNew(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const arena = bufferInput(b, invocation.singles()[0], 2);
  b.hint("AllocFelt252Dict", { segment_arena_ptr: arena });
  const infos = b.tempvar(b.at(arena, -3));
  const segmentCount = b.tempvar(b.at(arena, -2));
  const finalizedCount = b.tempvar(b.at(arena, -1));
  b.assertEq(infos, b.next(arena));
  const newSegmentCount = b.tempvar(b.sum(segmentCount, b.constant(1)));
  b.assertEq(newSegmentCount, b.next(arena));
  b.assertEq(finalizedCount, b.next(arena));
  const infoOffset = b.tempvar(b.product(segmentCount, b.constant(DICT_INFO_CELLS)));
  const info = b.tempvar(b.sum(infos, infoOffset));
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[arena], [b.at(info)]] }],
    // The arena checks its segments at the end of the run.
    { extra: [constGas(ARENA_SEGMENT_COST)] },
  );
}
