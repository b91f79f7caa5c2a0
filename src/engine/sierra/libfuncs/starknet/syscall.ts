import { feltFromShortString } from "#base/primitives/index.ts";
import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { known } from "../../libfunc/ap-change.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { constGas, regularCost } from "../../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../../libfunc/program-info.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, forked } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { wrapped } from "../shared/types.ts";
import type { TypeOf } from "./types.ts";

/** Steps charged per syscall for the work outside the program. */
const SYSTEM_CALL_STEPS = 100;

/** Steps of the code itself, in addition to one per input cell. */
const OWN_STEPS = 5;

/** Cells of the failure reason: an array of felts. */
const REASON_CELLS = 2;

/**
 * Creates a syscall libfunc. The program writes selector, gas and inputs to the system segment. The response
 * follows them: gas, a failure flag, and the outputs or the failure reason.
 *
 * @param selector - name, written to the first cell of the request
 */
export function syscall(
  selector: string,
  inputs: readonly TypeOf[],
  outputs: readonly TypeOf[],
): Specialize {
  return (context, args) => {
    noArguments(args);
    const gas = deferredOutput(context.find("GasBuiltin"));
    const system = builtinOutput(context.find("System"));
    const params = inputs.map((input) => input(context));
    const results = outputs.map((output) => output(context));
    const reason = deferredOutput(wrapped(context, "Array", context.find("felt252")));
    return {
      signature: forked(
        [gas.type, system.type, ...params],
        { variables: [gas, system, ...results.map(deferredOutput)], apChange: "other" },
        { variables: [gas, system, reason], apChange: "other" },
      ),
      apChanges: () => [known(2), known(2)],
      costs: (info) => {
        const cost = regularCost({
          steps: SYSTEM_CALL_STEPS + OWN_STEPS + cellsOf(info, params),
        });
        return [cost, cost];
      },
      build: (invocation) => buildSyscall(invocation, selector, results),
    };
  };
}

function cellsOf(info: ProgramInfo, types: readonly number[]): number {
  return types.reduce((cells, type) => cells + info.sizeOf(type), 0);
}

function buildSyscall(
  invocation: InvocationBuilder,
  selector: string,
  results: readonly number[],
): CompiledInvocation {
  const { info } = invocation;
  const [[gas] = [], [system] = [], ...inputs] = invocation.args;
  const cells = inputs.flat();
  const resultCells = cellsOf(info, results);
  const b = new CasmBuilder();
  const gasVar = derefInput(b, gas);
  const slack = cells.length + 4 + Math.max(resultCells, REASON_CELLS);
  const pointer = bufferInput(b, system, slack);
  const request = b.copy(pointer);
  const selectorVar = b.tempvar(b.constant(feltFromShortString(selector)));
  b.assertEq(selectorVar, b.next(pointer));
  b.assertEq(gasVar, b.next(pointer));
  for (const cell of cells) b.assertEq(derefInput(b, cell), b.next(pointer));
  b.hint("SystemCall", { system: request });
  const gasLeft = [b.next(pointer)];
  const hasFailed = b.tempvar(b.next(pointer));
  const success = responseCells(b, pointer, resultCells);
  const failure = responseCells(b, pointer, REASON_CELLS);
  b.jumpNz(hasFailed, "Failure");
  const sizes = results.map((type) => info.sizeOf(type));
  return invocation.finish(
    b,
    [
      {
        label: FALLTHROUGH,
        outputs: [gasLeft, [success.end], ...divided(success.cells, sizes)],
      },
      {
        label: "Failure",
        outputs: [gasLeft, [failure.end], failure.cells],
        target: invocation.target(1),
      },
    ],
    { extra: [SYSTEM_CALL_GAS, SYSTEM_CALL_GAS] },
  );
}

const SYSTEM_CALL_GAS = constGas({ steps: SYSTEM_CALL_STEPS });

/** Reads the next cells after a pointer, which does not advance. @returns them and the pointer past them */
function responseCells(
  b: CasmBuilder,
  pointer: Var,
  count: number,
): { readonly cells: readonly Var[]; readonly end: Var } {
  const end = b.copy(pointer);
  return { cells: Array.from({ length: count }, () => b.next(end)), end };
}

/** Splits cells into parts of these sizes. */
function divided(cells: readonly Var[], sizes: readonly number[]): Var[][] {
  let from = 0;
  return sizes.map((size) => cells.slice(from, (from += size)));
}
