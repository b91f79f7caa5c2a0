import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { constGas, regularCost } from "../../libfunc/branch-cost.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { straight, tempOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { FIXED_SQUASH_COST, REPEATED_ACCESS_COST, UNIQUE_KEY_COST } from "./costs.ts";
import { ACCESS_CELLS, DICT_INFO_CELLS } from "./layout.ts";
import { squashDictFunction } from "./squash-dict.ts";
import { squashKeyFunction } from "./squash-key.ts";
import { SquashSteps } from "./squash-steps.ts";
import { dictOf, squashedDictOf } from "./types.ts";

/**
 * Specializes `felt252_dict_squash`: proves that the accesses to a dictionary are consistent, and
 * returns one entry per key. The code has its own functions, which call each other.
 */
export const felt252DictSquash: Specialize = (context, args) => {
  const type = typeArgument(args);
  const params = [
    context.find("RangeCheck"),
    context.find("GasBuiltin"),
    context.find("SegmentArena"),
  ];
  const results = [...params, squashedDictOf(context, type)];
  const costs = [regularCost(FIXED_SQUASH_COST)];
  return {
    signature: straight([...params, dictOf(context, type)], results.map(tempOutput), "other"),
    apChanges: () => [{ kind: "unknown" }],
    costs: () => costs,
    build: buildSquash,
  };
};

/** Gas refunded for a repeated access to a key. */
const REFUND_PER_ACCESS = constGas(UNIQUE_KEY_COST) - constGas(REPEATED_ACCESS_COST);

interface DestructArguments {
  readonly rangeCheck: Var;
  readonly gas: Var;
  readonly arena: Var;
  readonly dictEnd: Var;
}

function buildSquash(invocation: InvocationBuilder): CompiledInvocation {
  const [rangeCheck, gas, arena, dictEnd] = invocation.singles();
  const b = new CasmBuilder();
  const steps = new SquashSteps(b);
  // A separate function, because locals are needed.
  const destructArguments = {
    rangeCheck: b.tempvar(bufferInput(b, rangeCheck, 0)),
    gas: b.tempvar(derefInput(b, gas)),
    arena: b.tempvar(bufferInput(b, arena, 2)),
    dictEnd: b.tempvar(bufferInput(b, dictEnd, 0)),
  };
  const results = b.call("DestructDict", 5);
  b.jump("Done");
  const squashArguments = destructDictFunction(b, steps, destructArguments);
  const keyArguments = squashDictFunction(b, steps, squashArguments);
  squashKeyFunction(b, steps, keyArguments);
  b.label("Done");
  steps.countFixed();
  steps.requirePaid();
  const outputs = results.map((result) => b.adjusted(result));
  const { instructions } = b.build([FALLTHROUGH]);
  const singles = outputs.slice(0, 3).map((output) => [output]);
  return invocation.finishPlain(instructions, [], [[...singles, outputs.slice(3)]]);
}

/**
 * Emits the function that removes a dictionary from the arena and squashes it; it refunds gas for repeated
 * accesses.
 */
function destructDictFunction(b: CasmBuilder, steps: SquashSteps, args: DestructArguments) {
  const { rangeCheck, gas, arena, dictEnd } = args;
  b.label("DestructDict");
  const one = b.constant(1);
  const index = b.localvar();
  const accessesLength = b.localvar();
  b.hint("GetSegmentArenaIndex", { dict_end_ptr: dictEnd }, { dict_index: index });
  const infos = b.localvar(b.at(arena, -3));
  const dictCount = b.localvar(b.at(arena, -2));
  const squashedCount = b.localvar(b.at(arena, -1));
  // Verifies that the hint's index is one of a dictionary in the arena.
  b.assertEq(index, b.next(rangeCheck));
  const lastIndex = b.tempvar(b.difference(dictCount, one));
  const indicesAfter = b.tempvar(b.difference(lastIndex, index));
  b.assertEq(indicesAfter, b.next(rangeCheck));
  // Completes the arena's entry: the end, and the position in the order of squashing.
  const infoOffset = b.tempvar(b.product(index, b.constant(DICT_INFO_CELLS)));
  const info = b.tempvar(b.sum(infos, infoOffset));
  b.assertEq(squashedCount, b.at(info, 2));
  b.assertEq(dictEnd, b.at(info, 1));
  b.assertEq(infos, b.next(arena));
  b.assertEq(dictCount, b.next(arena));
  const newSquashedCount = b.tempvar(b.sum(squashedCount, one));
  b.assertEq(newSquashedCount, b.next(arena));
  const squashArguments = {
    rangeCheck: b.tempvar(rangeCheck),
    accessesStart: b.tempvar(b.at(info, 0)),
    accessesEnd: b.tempvar(dictEnd),
  };
  b.assertEq(accessesLength, b.difference(dictEnd, squashArguments.accessesStart));
  const [rangeCheckAfter, squashedEnd, squashedStart] = squashDictCall(b);
  const squashedLength = b.tempvar(b.difference(squashedEnd, squashedStart));
  const repeatedLength = b.tempvar(b.difference(accessesLength, squashedLength));
  const repeatedCount = b.tempvar(b.quotient(repeatedLength, b.constant(ACCESS_CELLS)));
  const refund = b.tempvar(b.product(repeatedCount, b.constant(REFUND_PER_ACCESS)));
  b.tempvar(rangeCheckAfter);
  b.tempvar(b.sum(gas, refund));
  b.tempvar(arena);
  b.tempvar(squashedStart);
  b.tempvar(squashedEnd);
  b.ret();
  steps.countFixed();
  return squashArguments;
}

function squashDictCall(b: CasmBuilder): readonly [Var, Var, Var] {
  const [rangeCheck, end, start] = b.call("SquashDict", 3);
  return [rangeCheck, end, start] as readonly [Var, Var, Var];
}
