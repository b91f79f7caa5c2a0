import type { Relocatable } from "#engine/cairo/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { INVALID_ARGUMENT } from "../call/felts.ts";
import { fatal, invalidInputText } from "../syscall-base/failure.ts";
import type { SyscallCursor } from "./cursor.ts";
import type { CallFrame } from "./frame.ts";
import type { SyscallHandler } from "./handler.ts";
import { ok, revert, type SyscallReply } from "./reply.ts";
import {
  isOnCurve,
  pointFromX,
  SECP256K1,
  SECP256R1,
  secpAdd,
  type SecpCurve,
  secpMultiply,
  type SecpPoint,
} from "./secp-curve.ts";

const MASK_128 = (1n << 128n) - 1n;

function readU256(cursor: SyscallCursor): bigint {
  const low = cursor.felt();
  const high = cursor.felt();
  for (const half of [low, high]) {
    if (half > MASK_128)
      cursor.reject(`Out of range Felt ${half} is too big to convert to 'u128'.`);
  }
  return (high << 128n) | low;
}

function u256Of(value: bigint): readonly [Felt, Felt] {
  return [value & MASK_128, value >> 128n];
}

function invalidPoint(address: Relocatable): SyscallReply {
  return fatal(
    `Invalid syscall input: 0x${address.segment.toString(16)}; Invalid Secp point address`,
  );
}

/** Encodes Some(address) or None for compiled code. */
function optionalPoint(
  frame: CallFrame,
  cursor: SyscallCursor,
  curve: SecpCurve,
  gas: number,
  point: SecpPoint | undefined,
): SyscallReply {
  if (point === undefined) return ok(gas, [1n, 0n]);
  return ok(gas, [0n, frame.points.add(cursor, curve, point)]);
}

/** Creates the five syscalls of a curve. */
function secpSyscalls(
  curve: SecpCurve,
  names: Readonly<Record<"new" | "fromX" | "getXy" | "add" | "mul", SyscallName>>,
): SyscallHandler[] {
  return [
    {
      name: names.new,
      prepare(frame, cursor) {
        const x = readU256(cursor);
        const y = readU256(cursor);
        return {
          linear: 0,
          run(gas) {
            if (x >= curve.prime || y >= curve.prime) return revert(gas, INVALID_ARGUMENT);
            const point = { x, y };
            const found = isOnCurve(curve, point) ? point : undefined;
            return optionalPoint(frame, cursor, curve, gas, found);
          },
        };
      },
    },
    {
      name: names.fromX,
      prepare(frame, cursor) {
        const x = readU256(cursor);
        const parity = cursor.felt();
        if (parity > 1n) cursor.reject(invalidInputText(parity, "Invalid y parity"));
        return {
          linear: 0,
          run(gas) {
            if (x >= curve.prime) return revert(gas, INVALID_ARGUMENT);
            return optionalPoint(frame, cursor, curve, gas, pointFromX(curve, x, parity === 1n));
          },
        };
      },
    },
    {
      name: names.getXy,
      prepare(frame, cursor) {
        const address = cursor.pointer();
        return {
          linear: 0,
          run(gas) {
            const point = frame.points.get(address, curve);
            if (point === undefined) return invalidPoint(address);
            return ok(gas, [...u256Of(point.x), ...u256Of(point.y)]);
          },
        };
      },
    },
    {
      name: names.add,
      prepare(frame, cursor) {
        const first = cursor.pointer();
        const second = cursor.pointer();
        return {
          linear: 0,
          run(gas) {
            const p = frame.points.get(first, curve);
            const q = frame.points.get(second, curve);
            if (p === undefined) return invalidPoint(first);
            if (q === undefined) return invalidPoint(second);
            return ok(gas, [frame.points.add(cursor, curve, secpAdd(curve, p, q))]);
          },
        };
      },
    },
    {
      name: names.mul,
      prepare(frame, cursor) {
        const address = cursor.pointer();
        const scalar = readU256(cursor);
        return {
          linear: 0,
          run(gas) {
            const point = frame.points.get(address, curve);
            if (point === undefined) return invalidPoint(address);
            return ok(gas, [frame.points.add(cursor, curve, secpMultiply(curve, point, scalar))]);
          },
        };
      },
    },
  ];
}

/** Syscalls on secp256k1 (Ethereum) and secp256r1 (passkeys). */
export const SECP_SYSCALLS: readonly SyscallHandler[] = [
  ...secpSyscalls(SECP256K1, {
    new: "Secp256k1New",
    fromX: "Secp256k1GetPointFromX",
    getXy: "Secp256k1GetXy",
    add: "Secp256k1Add",
    mul: "Secp256k1Mul",
  }),
  ...secpSyscalls(SECP256R1, {
    new: "Secp256r1New",
    fromX: "Secp256r1GetPointFromX",
    getXy: "Secp256r1GetXy",
    add: "Secp256r1Add",
    mul: "Secp256r1Mul",
  }),
];
