import type { LegacyHint, LegacyProgram } from "#protocol/chain/index.ts";
import { CellView, HINT_CODES, type ProgramImage, writeFeltCell } from "#kernels/vm/index.ts";
import type { HintFunction } from "./integer-hints.ts";
import { COMPARISON_HINTS } from "./comparison-hints.ts";
import { ADD_SEGMENT, HINT_TEXTS, type HintName, isSyscallHint } from "./hint-texts.ts";
import { INTEGER_HINTS } from "./integer-hints.ts";
import { STRUCTURE_HINTS } from "./structure-hints.ts";

/** Action of a hint: a syscall, a library hint, or a hint unknown to this machine. */
export type LegacyAction =
  | { readonly kind: "syscall"; readonly hint: LegacyHint }
  | { readonly kind: "library"; readonly hint: LegacyHint; readonly execute: HintFunction }
  | { readonly kind: "unknown"; readonly hint: LegacyHint };

/** Cairo 0 program in the kernel's format. */
export interface PreparedLegacyProgram {
  readonly source: LegacyProgram;
  readonly image: ProgramImage;
  /** Hints that the host executes; the index is the number in the kernel's hint words. */
  readonly actions: readonly LegacyAction[];
}

const ALLOC_SEGMENT_HINT = HINT_CODES.indexOf("alloc_segment");
const HOST_HINT = HINT_CODES.indexOf("host");

/** Kernel hint operand for the cell at ap itself. */
const AT_AP = 0;

const FUNCTIONS: ReadonlyMap<string, HintFunction> = new Map(
  Object.entries({ ...INTEGER_HINTS, ...COMPARISON_HINTS, ...STRUCTURE_HINTS }).flatMap(
    ([name, execute]) => [[HINT_TEXTS[name as HintName] as string, execute] as const],
  ),
);

/**
 * Encodes bytecode and hints; the result does not depend on a machine. Unknown hints fail only when they run.
 */
export function prepareLegacyProgram(source: LegacyProgram): PreparedLegacyProgram {
  const words: number[] = [];
  const starts: (readonly [pc: number, word: number])[] = [];
  const actions: LegacyAction[] = [];
  for (const [pc, hints] of source.hints) {
    if (hints.length === 0) continue;
    starts.push([pc, words.length]);
    words.push(hints.length);
    for (const hint of hints) {
      const { code } = hint;
      if (code === ADD_SEGMENT) {
        words.push(ALLOC_SEGMENT_HINT, AT_AP);
        continue;
      }
      words.push(HOST_HINT, actions.length, 0);
      actions.push(actionOf(hint));
    }
  }
  const limbs = new BigUint64Array(source.bytecode.length * 4);
  const cells = new CellView(limbs.buffer);
  for (const [index, value] of source.bytecode.entries()) writeFeltCell(cells, index * 4, value);
  return {
    source,
    image: {
      length: source.bytecode.length,
      cells: new Uint8Array(limbs.buffer),
      constants: new Uint8Array(0),
      hintWords: Uint32Array.from(words),
      constantWords: new Uint32Array(0),
      hintStarts: starts,
    },
    actions,
  };
}

/** Whether this machine can execute a hint, judged by its exact text. */
export function isKnownHint(code: string): boolean {
  return code === ADD_SEGMENT || isSyscallHint(code) || FUNCTIONS.has(code);
}

function actionOf(hint: LegacyHint): LegacyAction {
  const { code } = hint;
  if (isSyscallHint(code)) return { kind: "syscall", hint };
  const execute = FUNCTIONS.get(code);
  return execute === undefined ? { kind: "unknown", hint } : { kind: "library", hint, execute };
}
