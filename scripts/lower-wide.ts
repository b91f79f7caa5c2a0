import { KernelError } from "#base/errors/index.ts";

/** Kind of instructions that replace the functions of `Wide`. */
export type WideForm = "plain" | "wide";

/**
 * Rewrites the WebAssembly text of a kernel so that products and carries stay in registers.
 *
 * In every function that uses the class `Wide` (src/kernels/field/assembly/wide.ts), the global
 * `Wide.hi` becomes a local and each call of a `Wide` function the instructions of {@link FORMS}.
 * Allowed because no function reads `hi` before it has called one of them.
 *
 * @param text - unoptimised output of the AssemblyScript compiler, one instruction per line
 * @throws {KernelError} when a function reads `Wide.hi` without setting it
 */
export function lowerWide(text: string, form: WideForm): string {
  return text
    .split(/^(?= \(func )/mu)
    .map((part) => lowerFunction(part, form))
    .join("");
}

const HEAD = /^ \(func (\S+)(?: \((?:param|result) [^)]*\))*/u;
const CALL = /^\s*call \$\S*\/Wide\.(\w+)$/gmu;
const READ = /^\s*global\.get \$\S*\/Wide\.hi$/gmu;
const WRITE = /^\s*global\.set \$\S*\/Wide\.hi$/gmu;
const LOCALS = ["hi", "a", "b", "c", "low", "m"]
  .map((name) => ` (local $wide_${name} i64)`)
  .join("");

function lowerFunction(text: string, form: WideForm): string {
  const name = HEAD.exec(text)?.[1];
  if (name === undefined || /\/Wide\.\w+$/u.test(name)) return text;
  if (text.search(CALL) < 0) {
    if (text.search(READ) < 0) return text;
    throw new KernelError("KERNEL_BUILD_FAILED", `${name} reads Wide.hi but never sets it`);
  }
  const instructions = FORMS[form];
  return text
    .replaceAll(CALL, (_call, wide: string) => {
      const lines = instructions[wide];
      if (lines !== undefined) return lines;
      throw new KernelError("KERNEL_BUILD_FAILED", `${name} calls the unknown Wide.${wide}`);
    })
    .replaceAll(READ, HI)
    .replaceAll(WRITE, SET_HI)
    .replace(HEAD, (head) => `${head}${LOCALS}`);
}

const get = (name: string): string => `local.get $wide_${name}`;
const set = (name: string): string => `local.set $wide_${name}`;
const tee = (name: string): string => `local.tee $wide_${name}`;
const lines = (...parts: readonly string[]): string => parts.join("\n");

const HI = get("hi");
const SET_HI = set("hi");
const ZERO = "i64.const 0";

/** The two words on the stack plus the local `name`: the low word stays, the high one goes to hi. */
const wideAddLocal = (name: string): string => lines(get(name), ZERO, "i64.add128");

/** The word on the stack plus the local `name`; the carry is added to hi. */
const plainAddLocal = (name: string): string =>
  lines(
    get(name),
    "i64.add",
    tee("low"),
    get(name),
    "i64.lt_u",
    "i64.extend_i32_u",
    HI,
    "i64.add",
    SET_HI,
    get("low"),
  );

/** The word on the stack minus the local `name`; the borrow is added to hi. */
const plainSubLocal = (name: string): string =>
  lines(
    tee("low"),
    get(name),
    "i64.lt_u",
    "i64.extend_i32_u",
    HI,
    "i64.add",
    SET_HI,
    get("low"),
    get(name),
    "i64.sub",
  );

const LOW = lines("i64.const 0xffffffff", "i64.and");
const HIGH = lines("i64.const 32", "i64.shr_u");

// With a = a1 a0, b = b1 b0 in 32-bit digits: m = a1 b0 + high(a0 b0) and then
// hi = a1 b1 + high(m) + high(a0 b1 + low(m)); no sum overflows.
const PLAIN_PRODUCT = lines(
  set("b"),
  set("a"),
  ...[get("a"), HIGH, get("b"), LOW, "i64.mul"],
  ...[get("a"), LOW, get("b"), LOW, "i64.mul", HIGH, "i64.add", set("m")],
  ...[get("a"), HIGH, get("b"), HIGH, "i64.mul", get("m"), HIGH, "i64.add"],
  ...[get("a"), LOW, get("b"), HIGH, "i64.mul", get("m"), LOW, "i64.add", HIGH, "i64.add"],
  SET_HI,
  ...[get("a"), get("b"), "i64.mul"],
);

/**
 * Instructions by form and function; arguments are on the stack in order, one word stays there.
 *
 * A borrow is -1 in the high word that `i64.sub128` leaves, hence the negation.
 */
const FORMS: Readonly<Record<WideForm, Readonly<Record<string, string>>>> = {
  wide: {
    mul: lines("i64.mul_wide_u", SET_HI),
    mulAdd: lines(
      ...["i64.mul_wide_u", SET_HI, set("low"), set("a")],
      ...[get("low"), HI, wideAddLocal("a"), SET_HI],
    ),
    mac: lines(
      ...[set("c"), "i64.mul_wide_u", SET_HI, set("low"), set("a")],
      ...[get("low"), HI, wideAddLocal("a"), wideAddLocal("c"), SET_HI],
    ),
    add: lines(...[set("c"), set("b"), ZERO, wideAddLocal("b"), wideAddLocal("c"), SET_HI]),
    sub: lines(
      ...[set("c"), set("b"), ZERO, get("b"), ZERO, "i64.sub128"],
      ...[get("c"), ZERO, "i64.sub128", SET_HI, ZERO, HI, "i64.sub", SET_HI],
    ),
    add128: lines("i64.add128", SET_HI),
    sub128: lines("i64.sub128", SET_HI),
  },
  plain: {
    mul: PLAIN_PRODUCT,
    mulAdd: lines(PLAIN_PRODUCT, set("low"), set("a"), get("low"), plainAddLocal("a")),
    mac: lines(
      ...[set("c"), PLAIN_PRODUCT, set("low"), set("a"), get("low")],
      ...[plainAddLocal("a"), plainAddLocal("c")],
    ),
    add: lines(set("c"), set("b"), ZERO, SET_HI, plainAddLocal("b"), plainAddLocal("c")),
    sub: lines(set("c"), set("b"), ZERO, SET_HI, plainSubLocal("b"), plainSubLocal("c")),
    add128: lines(
      ...[set("c"), set("b"), set("a"), get("a"), get("c"), "i64.add", SET_HI],
      plainAddLocal("b"),
    ),
    sub128: lines(
      ...[set("c"), set("b"), set("a"), set("m"), get("a"), get("c"), "i64.sub"],
      ...[get("m"), get("b"), "i64.lt_u", "i64.extend_i32_u", "i64.sub", SET_HI],
      ...[get("m"), get("b"), "i64.sub"],
    ),
  },
};
