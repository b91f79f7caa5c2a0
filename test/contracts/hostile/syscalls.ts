import { feltFromShortString } from "#base/primitives/index.ts";
import { type Assembly, type Cell, cell } from "./assembly.ts";
import { ARGUMENTS, beginning, leave, type Loop, RECORD, type Round } from "./loops.ts";

/** One syscall in a round. */
interface Syscall {
  /** Selector as text. */
  readonly selector: string;
  readonly request: readonly Cell[];
  /** Number of response cells after gas and flag. */
  readonly answer: number;
  /** Continues after a failure; only valid if the response has two cells, as failures have. */
  readonly ignoresFailure?: boolean;
}

/** Emits a syscall; a failure ends the call with the same panic. @returns the response's cells */
export function makeSyscall(
  assembly: Assembly,
  round: Round,
  label: string,
  syscall: Syscall,
): { readonly round: Round; readonly answer: readonly Cell[] } {
  const { syscalls } = round;
  const selector = cell(assembly.push(feltFromShortString(syscall.selector)));
  const request = [selector, round.gas, ...syscall.request];
  for (const [index, part] of request.entries()) assembly.store(syscalls, index, part);
  assembly.hint({ SystemCall: { system: { Deref: assembly.reference(syscalls) } } });
  const at = request.length;
  const gas = cell(assembly.load(syscalls, at));
  const flag = cell(assembly.load(syscalls, at + 1));
  const { top } = assembly;
  if (syscall.ignoresFailure !== true) {
    assembly.jumpIf(flag, `${label}.failed`);
    assembly.jump(`${label}.good`);
    assembly.label(`${label}.failed`);
    const start = cell(assembly.load(syscalls, at + 2));
    const end = cell(assembly.load(syscalls, at + 3));
    const behind = cell(assembly.add(syscalls, BigInt(at + 4)));
    leave(assembly, { ...round, gas, syscalls: behind }, 1n, start, end);
    assembly.label(`${label}.good`);
    assembly.begin(top);
  }
  const answer = Array.from({ length: syscall.answer }, (_, index) =>
    cell(assembly.load(syscalls, at + 2 + index)),
  );
  const behind = cell(assembly.add(syscalls, BigInt(at + 2 + syscall.answer)));
  return { round: { ...round, gas, syscalls: behind }, answer };
}

/** A loop of one syscall. */
function syscallLoop(
  name: string,
  syscall: Omit<Syscall, "request">,
  request: (own: readonly Cell[], counter: Cell) => readonly Cell[],
  begin?: (assembly: Assembly) => Round,
): Loop {
  return {
    name,
    ...(begin === undefined ? {} : { begin }),
    round(assembly, round, counter) {
      const made = { ...syscall, request: request(round.own, counter) };
      return makeSyscall(assembly, round, name, made).round;
    },
  };
}

/** A loop of one syscall whose key starts at `a` and grows by `b` each round. */
function keyLoop(
  name: string,
  syscall: Omit<Syscall, "request">,
  request: (key: Cell, counter: Cell, zero: Cell) => readonly Cell[],
  start: Cell = RECORD.a,
  step: Cell | bigint = RECORD.b,
): Loop {
  return {
    name,
    begin: () => beginning([start]),
    round(assembly, round, counter) {
      const [key = start] = round.own;
      const zero = cell(assembly.push(0n));
      const made = { ...syscall, request: request(key, counter, zero) };
      const next = makeSyscall(assembly, round, name, made).round;
      const grown = typeof step === "bigint" ? assembly.add(key, step) : assembly.sum(key, step);
      return { ...next, own: [cell(grown)] };
    },
  };
}

/** Pushes `tail + a` and `tail + b`, which stay at the start of the frame. */
function ends(assembly: Assembly): Round {
  const first = cell(assembly.sum(RECORD.tail, RECORD.a));
  return beginning([first, cell(assembly.sum(RECORD.tail, RECORD.b))]);
}

/** A pointer `cells` after the start of the tail. */
function behindTail(cells: bigint): (assembly: Assembly) => Round {
  return (assembly) => beginning([cell(assembly.add(RECORD.tail, cells))]);
}

function callLoop(
  name: string,
  selector: string,
  extra: readonly Cell[] = [],
  ignoresFailure = false,
): Loop {
  const request = [RECORD.a, RECORD.b, RECORD.tail, ARGUMENTS.calldataEnd, ...extra];
  return syscallLoop(name, { selector, answer: 2, ignoresFailure }, () => request);
}

/**
 * The point whose coordinates are at the start of the tail, in halves of 128 bits, the low one
 * first.
 */
function newPoint(assembly: Assembly, name: string, curve: string): Round {
  const request = [0, 1, 2, 3].map((index) => cell(assembly.load(RECORD.tail, index)));
  const syscall = { selector: `${curve}New`, request, answer: 2 };
  const { round, answer } = makeSyscall(assembly, beginning(), `${name}.new`, syscall);
  return { ...round, own: answer.slice(1) };
}

function curveLoops(curve: "Secp256k1" | "Secp256r1"): Loop[] {
  const name = (operation: string): string => `${curve.toLowerCase()}_${operation}`;
  const onPoint = (
    operation: string,
    selector: string,
    answer: number,
    request: (point: Cell) => readonly Cell[],
  ): Loop =>
    syscallLoop(
      name(operation),
      { selector: curve + selector, answer },
      ([point]) => request(point ?? RECORD.a),
      (assembly) => newPoint(assembly, name(operation), curve),
    );
  const tail = (count: number) => (assembly: Assembly) =>
    beginning(Array.from({ length: count }, (_, i) => cell(assembly.load(RECORD.tail, i))));
  return [
    syscallLoop(name("new"), { selector: `${curve}New`, answer: 2 }, (own) => own, tail(4)),
    onPoint("get_xy", "GetXy", 4, (point) => [point]),
    onPoint("add", "Add", 1, (point) => [point, point]),
    onPoint("mul", "Mul", 1, (point) => [point, RECORD.a, RECORD.b]),
    syscallLoop(
      name("from_x"),
      { selector: `${curve}GetPointFromX`, answer: 2 },
      (own) => [...own, RECORD.a],
      tail(2),
    ),
  ];
}

/** A loop for each syscall; README.md describes `a`, `b` and the tail. */
export const SYSCALL_LOOPS: readonly Loop[] = [
  keyLoop("storage_read", { selector: "StorageRead", answer: 1 }, (key, _, zero) => [zero, key]),
  keyLoop("storage_write", { selector: "StorageWrite", answer: 0 }, (key, counter, zero) => [
    ...[zero, key],
    counter,
  ]),
  keyLoop("get_class_hash_at", { selector: "GetClassHashAt", answer: 1 }, (key) => [key]),
  keyLoop("get_block_hash", { selector: "GetBlockHash", answer: 1 }, (key) => [key]),
  syscallLoop("get_execution_info", { selector: "GetExecutionInfo", answer: 1 }, () => []),
  syscallLoop(
    "emit_event",
    { selector: "EmitEvent", answer: 0 },
    ([keys = RECORD.a, data = RECORD.b]) => [RECORD.tail, keys, RECORD.tail, data],
    ends,
  ),
  syscallLoop(
    "send_message_to_l1",
    { selector: "SendMessageToL1", answer: 0 },
    ([, end = RECORD.b]) => [RECORD.a, RECORD.tail, end],
    (assembly) => beginning([RECORD.a, cell(assembly.sum(RECORD.tail, RECORD.b))]),
  ),
  syscallLoop(
    "keccak",
    { selector: "Keccak", answer: 2 },
    ([end = RECORD.a]) => [RECORD.tail, end],
    (assembly) => beginning([cell(assembly.sum(RECORD.tail, RECORD.a))]),
  ),
  syscallLoop(
    "sha256_process_block",
    { selector: "Sha256ProcessBlock", answer: 1 },
    ([block = RECORD.a]) => [RECORD.tail, block],
    behindTail(8n),
  ),
  syscallLoop(
    "sha512_process_block",
    { selector: "Sha512ProcessBlock", answer: 1 },
    ([block = RECORD.a]) => [RECORD.tail, block],
    behindTail(8n),
  ),
  callLoop("call_contract", "CallContract"),
  callLoop("call_contract_ignoring", "CallContract", [], true),
  callLoop("library_call", "LibraryCall"),
  callLoop("library_call_ignoring", "LibraryCall", [], true),
  callLoop("meta_tx_v0", "MetaTxV0", [ARGUMENTS.calldataEnd, ARGUMENTS.calldataEnd]),
  keyLoop(
    "deploy",
    { selector: "Deploy", answer: 3 },
    (salt, _, zero) => [RECORD.a, salt, RECORD.tail, ARGUMENTS.calldataEnd, zero],
    RECORD.b,
    1n,
  ),
  syscallLoop("replace_class", { selector: "ReplaceClass", answer: 0 }, () => [RECORD.a]),
  ...curveLoops("Secp256k1"),
  ...curveLoops("Secp256r1"),
];
