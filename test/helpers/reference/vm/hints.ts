import { type EcPoint, FieldKernel } from "#kernels/field/index.ts";
import { P } from "../field.ts";
import {
  add,
  at,
  fail,
  integer,
  isLess,
  type Memory,
  type Pointer,
  pointer,
  type Value,
} from "./memory.ts";
import { ArcHints } from "./arc-hints.ts";
import type { Registers } from "./step.ts";

type Json = Readonly<Record<string, unknown>>;
const LOW = (1n << 128n) - 1n;

/** Largest r with r^2 <= value, by bisection. */
export function integerSquareRoot(value: bigint): bigint {
  let [low, high] = [0n, 1n << 256n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= value) low = middle;
    else high = middle;
  }
  return low;
}

function constant(text: string): bigint {
  return text.startsWith("-") ? (P - (BigInt(text.slice(1)) % P)) % P : BigInt(text) % P;
}

interface Dictionary {
  readonly index: number;
  readonly values: Map<bigint, Value>;
}

/** The hints of one run, in BigInt arithmetic. */
export class Hints {
  readonly #memory: Memory;
  readonly #registers: Registers;
  readonly #dictionaries = new Map<number, Dictionary>();
  readonly #field: FieldKernel;
  #shared: Pointer | undefined;
  #accesses = new Map<bigint, number[]>();
  #keys: bigint[] = [];
  #point: EcPoint | undefined;
  readonly #arcs: ArcHints;

  constructor(memory: Memory, registers: Registers, field: FieldKernel) {
    this.#memory = memory;
    this.#registers = registers;
    this.#field = field;
    this.#arcs = new ArcHints(memory);
  }

  #cell(reference: unknown): Pointer {
    const { register, offset } = reference as { register: string; offset: number };
    const base = register === "FP" ? this.#registers.fp : this.#registers.ap;
    return at({ segment: 1, offset: base }, offset);
  }

  #load(reference: unknown): Value {
    return this.#memory.get(this.#cell(reference)) ?? fail("unknown operand");
  }

  /** Value of an operand. */
  value(operand: unknown): Value {
    const [form, content] = Object.entries(operand as Json)[0] ?? fail("operand");
    if (form === "Deref") return this.#load(content);
    if (form === "Immediate") return constant(content as string);
    if (form === "DoubleDeref") {
      const [cell, offset] = content as readonly [unknown, number];
      return this.#memory.get(at(pointer(this.#load(cell)), offset)) ?? fail("unknown");
    }
    const { op, a, b } = content as Json;
    const right = integer(this.value(b));
    if (op === "Add") return add(this.#load(a), right);
    return (integer(this.#load(a)) * right) % P;
  }

  #store(reference: unknown, value: Value | boolean): void {
    this.#memory.set(this.#cell(reference), typeof value === "boolean" ? BigInt(value) : value);
  }

  #dictionary(address: Pointer): Dictionary {
    return this.#dictionaries.get(address.segment) ?? fail("no dictionary");
  }

  #newSegment(): Pointer {
    return { segment: this.#memory.addSegment(), offset: 0 };
  }

  /** Executes one hint in its JSON form; `false` for an unknown hint. */
  execute(hint: unknown): boolean {
    const [name, fields] =
      typeof hint === "string" ? [hint, {}] : (Object.entries(hint as Json)[0] ?? fail("hint"));
    const h = fields as Json;
    const int = (field: string): bigint => integer(this.value(h[field]));
    const address = (field: string): Pointer => pointer(this.value(h[field]));
    const wide = (low: string, high: string): bigint => int(low) + (int(high) << 128n);
    const store = (field: string, value: Value | boolean): void => this.#store(h[field], value);
    switch (name) {
      case "AllocSegment":
        store("dst", this.#newSegment());
        return true;
      case "AllocConstantSize": {
        const start = (this.#shared ??= this.#newSegment());
        this.#shared = at(start, Number(int("size")));
        store("dst", start);
        return true;
      }
      case "TestLessThan":
        store("dst", int("lhs") < int("rhs"));
        return true;
      case "TestLessThanOrEqual":
      case "TestLessThanOrEqualAddress":
        store("dst", !isLess(this.value(h["rhs"]), this.value(h["lhs"])));
        return true;
      case "WideMul128":
        store("high", (int("lhs") * int("rhs")) >> 128n);
        store("low", (int("lhs") * int("rhs")) & LOW);
        return true;
      case "DivMod":
        store("quotient", int("lhs") / int("rhs"));
        store("remainder", int("lhs") % int("rhs"));
        return true;
      case "Uint256DivMod": {
        const dividend = wide("dividend0", "dividend1");
        const divisor = wide("divisor0", "divisor1");
        store("quotient0", (dividend / divisor) & LOW);
        store("quotient1", (dividend / divisor) >> 128n);
        store("remainder0", (dividend % divisor) & LOW);
        store("remainder1", (dividend % divisor) >> 128n);
        return true;
      }
      case "SquareRoot":
        store("dst", integerSquareRoot(int("value")));
        return true;
      case "Uint256SquareRoot": {
        const value = wide("value_low", "value_high");
        const root = integerSquareRoot(value);
        const rest = value - root * root;
        store("sqrt0", root & ((1n << 64n) - 1n));
        store("sqrt1", root >> 64n);
        store("remainder_low", rest & LOW);
        store("remainder_high", rest >> 128n);
        store("sqrt_mul_2_minus_remainder_ge_u128", 2n * root - rest >= 1n << 128n);
        return true;
      }
      case "LinearSplit": {
        const [value, scalar, most] = [int("value"), int("scalar"), int("max_x")];
        const x = value / scalar < most ? value / scalar : most;
        store("x", x);
        store("y", (((value - x * scalar) % P) + P) % P);
        return true;
      }
      case "RandomEcPoint": {
        this.#point =
          this.#point === undefined
            ? this.#field.mulGenerator(1n)
            : this.#field.nextPoint(this.#point);
        const point = this.#point;
        store("x", point.x);
        store("y", point.y);
        return true;
      }
      case "FieldSqrt": {
        const value = int("val");
        const root = this.#field.squareRoot(value) ?? this.#field.squareRoot((3n * value) % P);
        store("sqrt", root ?? fail("no root"));
        return true;
      }
      default:
        return (
          this.#dictionaryHint(name, h, int, address, store) ||
          this.#arcs.execute(name, int, address, store)
        );
    }
  }

  #dictionaryHint(
    name: string,
    h: Json,
    int: (field: string) => bigint,
    address: (field: string) => Pointer,
    store: (field: string, value: Value | boolean) => void,
  ): boolean {
    const memory = this.#memory;
    switch (name) {
      case "AllocFelt252Dict": {
        const arena = address("segment_arena_ptr");
        const count = Number(integer(memory.get(at(arena, -2))));
        const infos = pointer(memory.get(at(arena, -3)));
        const made = this.#newSegment();
        this.#dictionaries.set(made.segment, { index: this.#dictionaries.size, values: new Map() });
        memory.set(at(infos, 3 * count), made);
        return true;
      }
      case "Felt252DictEntryInit": {
        const start = address("dict_ptr");
        memory.set(at(start, 1), this.#dictionary(start).values.get(int("key")) ?? 0n);
        return true;
      }
      case "Felt252DictEntryUpdate": {
        const end = address("dict_ptr");
        const key = integer(memory.get(at(end, -3)));
        this.#dictionary(end).values.set(key, this.value(h["value"]));
        return true;
      }
      case "Felt252DictRead":
        store("value_dst", this.#dictionary(address("dict_ptr")).values.get(int("key")) ?? 0n);
        return true;
      case "Felt252DictWrite": {
        const start = address("dict_ptr");
        const { values } = this.#dictionary(start);
        memory.set(at(start, 1), values.get(int("key")) ?? 0n);
        values.set(int("key"), this.value(h["value"]));
        return true;
      }
      case "GetSegmentArenaIndex":
        store("dict_index", BigInt(this.#dictionary(address("dict_end_ptr")).index));
        return true;
      case "InitSquashData": {
        const start = address("dict_accesses");
        this.#accesses = new Map();
        for (let i = 0; i < Number(int("n_accesses")); i++) {
          const key = integer(memory.get(at(start, 3 * i)));
          const list = this.#accesses.get(key) ?? [];
          this.#accesses.set(key, list);
          list.push(i);
        }
        this.#keys = [...this.#accesses.keys()].toSorted((a, b) => (a < b ? -1 : 1));
        store("big_keys", (this.#keys.at(-1) ?? fail("no keys")) > LOW);
        store("first_key", this.#keys[0] ?? fail("no keys"));
        return true;
      }
      case "GetCurrentAccessIndex":
        memory.set(address("range_check_ptr"), BigInt(this.#current()[0] ?? fail("no access")));
        return true;
      case "ShouldSkipSquashLoop":
        store("should_skip_loop", this.#current().length <= 1);
        return true;
      case "ShouldContinueSquashLoop":
        store("should_continue", this.#current().length > 1);
        return true;
      case "GetCurrentAccessDelta": {
        const previous = this.#current().shift() ?? fail("no access");
        const next = this.#current()[0] ?? fail("no access");
        store("index_delta_minus1", BigInt(next - previous - 1));
        return true;
      }
      case "GetNextDictKey":
        if (this.#current().length !== 1) fail("accesses left");
        this.#keys.shift();
        store("next_key", this.#keys[0] ?? fail("no keys"));
        return true;
      default:
        return false;
    }
  }

  #current(): number[] {
    return this.#accesses.get(this.#keys[0] ?? fail("no keys")) ?? fail("no accesses");
  }
}
