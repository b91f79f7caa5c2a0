import { FIELD_PRIME } from "#base/primitives/index.ts";

/** A position on the stack: the `slot`-th cell pushed since the last {@link Assembly.begin}. */
export type Slot = number;

/** A cell as an operand: of the stack, or relative to the frame pointer. */
export type Cell =
  { readonly kind: "slot"; readonly slot: Slot } | { readonly kind: "fp"; readonly offset: number };

/** A cell relative to the frame pointer. */
export function fp(offset: number): Cell {
  return { kind: "fp", offset };
}

/** A pushed cell. */
export function cell(slot: Slot): Cell {
  return { kind: "slot", slot };
}

const FLAG = {
  dstFp: 1,
  op0Fp: 2,
  immediate: 4,
  op1Fp: 8,
  op1Ap: 16,
  add: 32,
  multiply: 64,
  jumpRelative: 256,
  jumpNonZero: 512,
  addAp: 1024,
  nextAp: 2048,
  call: 4096,
  assertEqual: 16_384,
} as const;

const RETURN = 0x208b7fff7fff7ffen;

/** Bytecode under construction. Pushes are counted, so that operands are named by their slots. */
export class Assembly {
  readonly words: bigint[] = [];
  readonly hints: [number, unknown[]][] = [];
  readonly #labels = new Map<string, number>();
  readonly #jumps: { readonly at: number; readonly label: string }[] = [];
  #top = 0;

  /** Number of slots that are pushed. */
  get top(): Slot {
    return this.#top;
  }

  /** Restarts the count: `pushed` cells are already on the stack. */
  begin(pushed: number): void {
    this.#top = pushed;
  }

  /** Names the next instruction. */
  label(name: string): void {
    this.#labels.set(name, this.words.length);
  }

  /** Address of a label. */
  address(name: string): number {
    const found = this.#labels.get(name);
    if (found === undefined) throw new RangeError(`no label ${name}`);
    return found;
  }

  /** The bytecode with all jumps resolved. */
  finish(): bigint[] {
    for (const { at, label } of this.#jumps) {
      this.words[at + 1] = felt(BigInt(this.address(label) - at));
    }
    return this.words;
  }

  /** A hint of the next instruction. */
  hint(hint: unknown): void {
    const last = this.hints.at(-1);
    if (last?.[0] === this.words.length) last[1].push(hint);
    else this.hints.push([this.words.length, [hint]]);
  }

  /** A cell in the form of hints, relative to the state before the next instruction. */
  reference(operand: Cell): { readonly register: "AP" | "FP"; readonly offset: number } {
    return operand.kind === "fp"
      ? { register: "FP", offset: operand.offset }
      : { register: "AP", offset: operand.slot - this.#top };
  }

  /** `[ap] = value; ap++` */
  push(value: bigint): Slot {
    const { immediate, op0Fp, nextAp, assertEqual } = FLAG;
    this.#emit(0, -1, 1, immediate | op0Fp | nextAp | assertEqual, felt(value));
    return this.#top++;
  }

  /** `[ap] = operand; ap++` */
  copy(operand: Cell): Slot {
    const { offset, isFp } = this.#place(operand);
    const register = isFp ? FLAG.op1Fp : FLAG.op1Ap;
    this.#emit(0, -1, offset, register | FLAG.op0Fp | FLAG.nextAp | FLAG.assertEqual);
    return this.#top++;
  }

  /** `[ap] = operand + value; ap++` */
  add(operand: Cell, value: bigint): Slot {
    const { offset, isFp } = this.#place(operand);
    const { immediate, add, nextAp, assertEqual, op0Fp } = FLAG;
    const flags = immediate | add | nextAp | assertEqual | (isFp ? op0Fp : 0);
    this.#emit(0, offset, 1, flags, felt(value));
    return this.#top++;
  }

  /** `[ap] = operand * value; ap++` */
  multiply(operand: Cell, value: bigint): Slot {
    const { offset, isFp } = this.#place(operand);
    const { immediate, multiply, nextAp, assertEqual, op0Fp } = FLAG;
    const flags = immediate | multiply | nextAp | assertEqual | (isFp ? op0Fp : 0);
    this.#emit(0, offset, 1, flags, felt(value));
    return this.#top++;
  }

  /** `[ap] = a + b; ap++` */
  sum(a: Cell, b: Cell): Slot {
    const first = this.#place(a);
    const second = this.#place(b);
    const registers = (first.isFp ? FLAG.op0Fp : 0) | (second.isFp ? FLAG.op1Fp : FLAG.op1Ap);
    const flags = registers | FLAG.add | FLAG.nextAp | FLAG.assertEqual;
    this.#emit(0, first.offset, second.offset, flags);
    return this.#top++;
  }

  /** `[ap] = [pointer + offset]; ap++` */
  load(pointer: Cell, offset: number): Slot {
    const { offset: at, isFp } = this.#place(pointer);
    this.#emit(0, at, offset, (isFp ? FLAG.op0Fp : 0) | FLAG.nextAp | FLAG.assertEqual);
    return this.#top++;
  }

  /** `assert [pointer + offset] = value` */
  store(pointer: Cell, offset: number, value: Cell): void {
    const at = this.#place(pointer);
    const from = this.#place(value);
    const registers = (at.isFp ? FLAG.op0Fp : 0) | (from.isFp ? FLAG.dstFp : 0);
    this.#emit(from.offset, at.offset, offset, registers | FLAG.assertEqual);
  }

  /** `jmp label` */
  jump(label: string): void {
    this.#jumps.push({ at: this.words.length, label });
    const { dstFp, op0Fp, immediate, jumpRelative } = FLAG;
    this.#emit(-1, -1, 1, dstFp | op0Fp | immediate | jumpRelative, 0n);
  }

  /** `jmp rel [distance]` */
  jumpBy(distance: Cell): void {
    const { offset, isFp } = this.#place(distance);
    const register = isFp ? FLAG.op1Fp : FLAG.op1Ap;
    this.#emit(-1, -1, offset, FLAG.dstFp | FLAG.op0Fp | register | FLAG.jumpRelative);
  }

  /** `jmp label if operand != 0`; with `written` the instruction also pushes the operand */
  jumpIf(operand: Cell, label: string, written = false): void {
    const { offset, isFp } = this.#place(operand);
    this.#jumps.push({ at: this.words.length, label });
    const { dstFp, op0Fp, immediate, jumpNonZero, nextAp } = FLAG;
    const flags = (isFp ? dstFp : 0) | op0Fp | immediate | jumpNonZero | (written ? nextAp : 0);
    this.#emit(offset, -1, 1, flags, 0n);
    if (written) this.#top++;
  }

  /** `ap += distance` */
  advance(distance: number): void {
    const { dstFp, op0Fp, immediate, addAp } = FLAG;
    this.#emit(-1, -1, 1, dstFp | op0Fp | immediate | addAp, BigInt(distance));
    this.#top += distance;
  }

  /** `call label` */
  call(label: string): void {
    this.#jumps.push({ at: this.words.length, label });
    this.#emit(0, 1, 1, FLAG.immediate | FLAG.jumpRelative | FLAG.call, 0n);
  }

  /** `ret` */
  ret(): void {
    this.words.push(RETURN);
  }

  #place(operand: Cell): { readonly offset: number; readonly isFp: boolean } {
    return operand.kind === "fp"
      ? { offset: operand.offset, isFp: true }
      : { offset: operand.slot - this.#top, isFp: false };
  }

  #emit(off0: number, off1: number, off2: number, flags: number, immediate?: bigint): void {
    const biased = (offset: number): bigint => BigInt(offset + 0x8000);
    this.words.push(
      biased(off0) | (biased(off1) << 16n) | (biased(off2) << 32n) | (BigInt(flags) << 48n),
    );
    if (immediate !== undefined) this.words.push(immediate);
  }
}

function felt(value: bigint): bigint {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}
