import { feltText } from "../abi/felt.ts";
import { listIn, objectIn, textIn } from "../abi/read-entry.ts";
import { panicText, type PanicValue, panicValuesOfText } from "./panic.ts";

/** Frame of a revert reason: a call that failed, because of the next one if there is one. */
export interface RevertFrame {
  readonly contract: string;
  /** `0x0` if the reason does not name it. */
  readonly classHash: string;
  /** `0x0` if the reason does not name it. */
  readonly selector: string;
  readonly kind: "call" | "library call" | "constructor";
  /** What the reason says after the frame's address: program counters, and in the last frame the cause. */
  readonly text: string;
}

/** Revert reason, unfolded. */
export interface RevertReason {
  /** Outermost first. */
  readonly frames: readonly RevertFrame[];
  /** One line that says why: the values of the panic, or the error of the machine. */
  readonly cause: string;
  /** Values of the panic; empty for an error of another kind. */
  readonly panic: readonly PanicValue[];
}

/** Longest reason and most frames that are read. */
const MAX_LENGTH = 200_000;
const MAX_FRAMES = 200;

/** Heads of frames. Source: `stack_trace.rs` of blockifier; the short form is that of the first sequencers. */
const FRAME =
  /(?:\d+: )?Error in (the called contract|a library call|the contract class constructor|contract) \((?:contract address: )?(0x[0-9a-f]{1,64})(?:, class hash: (0x[0-9a-f]{1,64}), selector: (0x[0-9a-f]{1,64}|UNKNOWN))?\):/gi;

/** Lines that say where and not why. */
const PLACE =
  /^(Transaction (execution|validation) has failed|Contract constructor execution has failed|Execution failed\. Failure reason|Cairo traceback|Unknown location|Error at pc=|Got an exception while executing a hint|The `validate` entry point panicked with|\.{3}$)/;

/** Unfolds a revert reason, or the nested errors of a failed `starknet_call` or fee estimate. */
export function unfoldRevert(reason: unknown): RevertReason {
  if (typeof reason !== "string") return unfoldError(reason);
  const text = reason.slice(0, MAX_LENGTH);
  const frames: RevertFrame[] = [];
  let start = 0;
  let head: RegExpExecArray | undefined;
  const close = (end: number): void => {
    if (head !== undefined) push(frames, frameOf(head, text.slice(start, end).trim()));
  };
  for (const found of text.matchAll(FRAME)) {
    close(found.index);
    head = found;
    start = found.index + found[0].length;
    if (frames.length >= MAX_FRAMES) break;
  }
  close(text.length);
  return { frames, ...causeOf(text.slice(start)) };
}

/** Adds a frame; the panic's frames repeat the last one before them. */
function push(frames: RevertFrame[], frame: RevertFrame): void {
  const last = frames.at(-1);
  const isSame =
    last?.contract === frame.contract &&
    last.classHash === frame.classHash &&
    last.selector === frame.selector &&
    /Failure reason:|panicked with:/.test(last.text);
  if (last !== undefined && isSame) frames.pop();
  frames.push(isSame ? { ...frame, kind: last?.kind ?? frame.kind } : frame);
}

function frameOf(head: RegExpExecArray, text: string): RevertFrame {
  const [, what = "", contract, classHash, selector] = head;
  const kind = what.endsWith("constructor")
    ? "constructor"
    : what === "a library call"
      ? "library call"
      : "call";
  return {
    contract: feltText(contract),
    classHash: feltText(classHash),
    selector: feltText(selector),
    kind,
    text,
  };
}

/** Reads `{contract_address, class_hash, selector, error}`, where an error may have another one inside. */
function unfoldError(value: unknown): RevertReason {
  const frames: RevertFrame[] = [];
  let error: unknown = value;
  while (typeof error !== "string" && frames.length < MAX_FRAMES) {
    const entry = objectIn(Array.isArray(error) ? listIn(error)[0] : error);
    const inner: unknown = entry["error"];
    if (entry["contract_address"] !== undefined) {
      const { contract_address, class_hash, selector } = entry;
      frames.push({
        contract: feltText(contract_address),
        classHash: feltText(class_hash),
        selector: feltText(selector),
        kind: "call",
        text: typeof inner === "string" ? inner.slice(0, MAX_LENGTH) : "",
      });
    }
    if (inner === undefined) return { frames, cause: textIn(entry, "message"), panic: [] };
    error = inner;
  }
  const last = unfoldRevert(typeof error === "string" ? error : "");
  return { ...last, frames: [...frames, ...last.frames] };
}

/** Returns the cause that the text after the last frame names. */
function causeOf(text: string): Pick<RevertReason, "cause" | "panic"> {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^Execution failed\. Failure reason:\s*/, ""));
  const said = lines.filter((line) => line.trim() !== "" && !PLACE.test(line.trim()));
  const whole = said.join("\n").trim();
  const panic = panicValuesOfText(whole) ?? [];
  return { cause: panic.length === 0 ? whole : panicText(panic), panic };
}
