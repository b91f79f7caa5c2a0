import type { Felts } from "#kernels/vm/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import { ENTRYPOINT_FAILED } from "./felts.ts";
import type { CallFailureFrame, Panic } from "./errors.ts";
import type { CallInfo } from "./info.ts";

/** Maximum length of an error text, in UTF-8 bytes. */
export const TRACE_LENGTH_CAP = 15_000;

const SEPARATOR = "\n...";
const BYTE_ARRAY_MAGIC = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;

/** Phase that panicked. */
export type PanicHeader = "execution" | "validation";

const HEADERS: Readonly<Record<PanicHeader, string>> = {
  execution: "Execution failed. Failure reason:",
  validation: "The `validate` entry point panicked with:",
};

/**
 * Describes a panic: the chain of failed calls, as far as the return data reveals which inner call's panic
 * was passed on, and the panic's felts.
 *
 * Source: revert reasons of the reference engine (`stack_trace.rs`), part of receipt commitments.
 */
export function panicOf(root: CallInfo, header: PanicHeader): Panic {
  const chain = failingChain(root);
  const last = chain.at(-1) ?? root;
  const frames = chain.map(frameOf);
  const reason = panicDataText(last.result);
  return { frames, reason, text: textOf(frames, reason, header) };
}

/** Converts a call to a frame of a failure. */
export function frameOf(call: CallInfo): CallFailureFrame {
  const { contractAddress, classHash, entryPointSelector: selector } = call;
  return { contractAddress, classHash, selector };
}

function textOf(calls: readonly CallFailureFrame[], reason: string, header: PanicHeader): string {
  const frames = calls.map(frameText);
  const minFrameLength = frameText({ contractAddress: 0n, classHash: 0n, selector: 0n }).length + 1;
  const withoutFrames = [HEADERS[header], reason, ".\n"].join("\n");
  const minFramesLength = 2 * minFrameLength + SEPARATOR.length;
  if (withoutFrames.length >= TRACE_LENGTH_CAP - minFramesLength - 1) {
    return withoutFrames.length <= TRACE_LENGTH_CAP ? withoutFrames : truncate(withoutFrames);
  }
  const full = `${[HEADERS[header], ...frames, reason].join("\n")}.\n`;
  if (full.length <= TRACE_LENGTH_CAP) return full;
  const dropped = Math.ceil((full.length - TRACE_LENGTH_CAP + SEPARATOR.length) / minFrameLength);
  const lastFrame = frames.at(-1);
  if (lastFrame === undefined || frames.length - dropped - 1 < 0) {
    return reason.slice(0, TRACE_LENGTH_CAP);
  }
  const shownFrames = frames.slice(0, frames.length - dropped - 1);
  const shortened = `${[HEADERS[header], ...shownFrames, SEPARATOR, lastFrame, reason].join("\n")}.\n`;
  return shortened.length <= TRACE_LENGTH_CAP ? shortened : truncate(shortened);
}

function truncate(text: string): string {
  return text.slice(0, TRACE_LENGTH_CAP - SEPARATOR.length) + SEPARATOR;
}

function frameText({ contractAddress, classHash, selector }: CallFailureFrame): string {
  return (
    `Error in contract (contract address: ${paddedHexFromFelt(contractAddress)}, ` +
    `class hash: ${paddedHexFromFelt(classHash)}, selector: ${paddedHexFromFelt(selector)}):`
  );
}

/** Failed calls from `root` to the one that panicked first; empty when ambiguous. */
export function failingChain(root: CallInfo): CallInfo[] {
  const chain: CallInfo[] = [];
  let call = root;
  while (call.failed) {
    chain.push(call);
    const { result, innerCalls } = call;
    if (result.at(result.length - 1) !== ENTRYPOINT_FAILED) break;
    const candidates = innerCalls.filter((inner) => inner.failed && isPassedOn(inner, call));
    const [only] = candidates;
    // Inner calls with equal data are indistinguishable: no chain is better than a wrong one.
    if (only === undefined || candidates.length > 1) return [];
    call = only;
  }
  return chain;
}

/** Whether a failed call appears to have passed on a failed inner call's return data. */
export function isPassedOn(inner: { readonly result: Felts }, call: CallInfo): boolean {
  const { result } = call;
  if (!call.failed || inner.result.length !== result.length - 1) return false;
  if (result.at(result.length - 1) !== ENTRYPOINT_FAILED) return false;
  for (let i = 0; i < inner.result.length; i++) {
    if (inner.result.at(i) !== result.at(i)) return false;
  }
  return true;
}

/**
 * Formats the felts of a panic: byte arrays as text, others in hex with their ASCII. Stops somewhere after
 * {@link TRACE_LENGTH_CAP}, to which all containing texts are cut.
 */
export function panicDataText(felts: Felts): string {
  const items: string[] = [];
  let i = 0;
  let length = 0;
  while (i < felts.length && length <= TRACE_LENGTH_CAP) {
    const felt = felts.at(i++) as Felt;
    const text = felt === BYTE_ARRAY_MAGIC ? byteArrayText(felts, i) : undefined;
    let item: string;
    if (text === undefined) {
      const ascii = shortString(felt);
      const hex = `0x${felt.toString(16)}`;
      item = ascii === undefined ? hex : `${hex} ('${ascii}')`;
    } else {
      item = `"${text.value}"`;
      i = text.end;
    }
    items.push(item);
    length += item.length;
  }
  const isAlone = items.length === 1 && i >= felts.length;
  return isAlone ? (items[0] as string) : `(${items.join(", ")})`;
}

/**
 * Decodes a serialized ByteArray at `start`: word count, words, last word and its length. The text may be
 * incomplete beyond what error texts show.
 */
function byteArrayText(
  felts: Felts,
  start: number,
): { readonly value: string; readonly end: number } | undefined {
  const wordCount = felts.at(start);
  if (wordCount === undefined || wordCount >= 1n << 64n) return undefined;
  const end = start + 1 + Math.min(Number(wordCount), felts.length);
  const pending = felts.at(end);
  const pendingLength = felts.at(end + 1);
  if (pending === undefined || pendingLength === undefined) return undefined;
  let value = "";
  for (let i = start + 1; i < end; i++) {
    const part = fixedString(felts.at(i) as Felt, 31);
    if (part === undefined) return undefined;
    if (value.length <= TRACE_LENGTH_CAP) value += part;
  }
  const part = pendingLength > 31n ? undefined : fixedString(pending, Number(pendingLength));
  return part === undefined ? undefined : { value: value + part, end: end + 2 };
}

/** Big-endian bytes without leading zeros; one zero byte for 0. */
function bytesOf(felt: Felt): Uint8Array {
  const hex = felt.toString(16);
  return Uint8Array.fromHex(hex.length % 2 === 0 ? hex : `0${hex}`);
}

/** Whether a byte is visible ASCII or white space (tab, line feed, form feed, carriage return, space). */
function isReadable(byte: number): boolean {
  return (byte > 0x20 && byte < 0x7f) || [0x20, 0x09, 0x0a, 0x0c, 0x0d].includes(byte);
}

/** Decodes a Cairo short string; zero bytes are allowed only at the end. */
function shortString(felt: Felt): string | undefined {
  let text = "";
  let ended = false;
  for (const byte of bytesOf(felt)) {
    if (byte === 0) ended = true;
    else if (ended || !isReadable(byte)) return undefined;
    else text += String.fromCharCode(byte);
  }
  return text;
}

/** Formats `length` bytes as text and escapes unreadable ones. */
function fixedString(felt: Felt, length: number): string | undefined {
  if (length === 0) return felt === 0n ? "" : undefined;
  const bytes = bytesOf(felt);
  if (bytes.length > length) return undefined;
  let text = "\\0".repeat(length - bytes.length);
  for (const byte of bytes) {
    if (byte === 0) text += "\\0";
    else if (isReadable(byte)) text += String.fromCharCode(byte);
    else text += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return text;
}
