import { describe, expect, test } from "bun:test";
import { analyzeSierra, compileSierra } from "#test/helpers/sierra/compile-text.ts";

// Expected code is from the reference compiler's end-to-end cases `libfuncs/circuit`.

const GATES = `
type In0 = CircuitInput<0>;
type In1 = CircuitInput<1>;
type In2 = CircuitInput<2>;
type Sum = AddModGate<In0, In1>;
type Inverse = InverseGate<In2>;
type Product = MulModGate<In1, In2>;
type Difference = SubModGate<In2, In0>;
type Outputs = Struct<ut@Tuple, Sum, Inverse, Product, Difference>;
type C = Circuit<Outputs>;
`;

const compiled = (text: string): string[] => compileSierra(analyzeSierra(text)).split("\n");

describe("a compiled circuit", () => {
  test("is described after the code, in offsets of its values", () => {
    const code = compiled(`${GATES}
type Descriptor = CircuitDescriptor<C>;
libfunc get = get_circuit_descriptor<C>;
get() -> ([0]);
return([0]);
test@0() -> (Descriptor);`);
    expect(code.slice(0, 7)).toEqual([
      "call rel 11;",
      "[ap + 0] = [ap + -1] + 10, ap++;",
      "[ap + 0] = 2, ap++;",
      "[ap + 0] = [ap + -2] + 6, ap++;",
      "[ap + 0] = 5, ap++;",
      "ret;",
      "ret;",
    ]);
    const additions = [28, 16, 24, 16, 20, 40];
    const products = [0, 4, 16, 0, 8, 20, 0, 12, 24, 20, 24, 32, 36, 24, 0];
    expect(code.slice(7)).toEqual([...additions, ...products].map((value) => `dw ${value};`));
  });

  test("allocates and pays for the cells of all values", () => {
    const analyzed = analyzeSierra(`
type In0 = CircuitInput<0>;
type In1 = CircuitInput<1>;
type In2 = CircuitInput<2>;
type Sum = AddModGate<In0, In1>;
type Outputs = Struct<ut@Tuple, Sum, In2>;
type C = Circuit<Outputs>;
type RangeCheck96 = RangeCheck96;
type Accumulator = CircuitInputAccumulator<C>;
libfunc init = init_circuit_data<C>;
libfunc store_check = store_temp<RangeCheck96>;
libfunc store_accumulator = store_temp<Accumulator>;
init([0]) -> ([1], [2]);
store_check([1]) -> ([1]);
store_accumulator([2]) -> ([2]);
return([1], [2]);
test@0([0]: RangeCheck96) -> (RangeCheck96, Accumulator);`);
    expect(compileSierra(analyzed).split("\n")).toEqual([
      "[ap + 0] = [fp + -3] + 32, ap++;",
      "[ap + 0] = [fp + -3] + 4, ap++;",
      "[ap + 0] = [fp + -3] + 16, ap++;",
      "ret;",
    ]);
    expect(analyzed.metadata.functionCosts.get(0)?.get("Const")).toBe(2092);
  });
});

describe("get_circuit_output", () => {
  const output = (type: string): string => `${GATES}
type felt252 = felt252;
type Other = CircuitInput<3>;
type u96 = BoundedInt<0, 79228162514264337593543950335>;
type u384 = Struct<ut@core::circuit::u384, u96, u96, u96, u96>;
type Guarantee = U96LimbsLtGuarantee<4>;
type Values = CircuitOutputs<C>;
libfunc get = get_circuit_output<C, ${type}>;
libfunc store = store_temp<u384>;
libfunc store_guarantee = store_temp<Guarantee>;
get([0]) -> ([1], [2]);
store([1]) -> ([1]);
store_guarantee([2]) -> ([2]);
return([1], [2]);
test@0([0]: Values) -> (u384, Guarantee);`;

  test("reads the output at its offset", () => {
    expect(compiled(output("Product")).slice(0, 2)).toEqual([
      "[ap + 0] = [fp + -7] + 32, ap++;",
      "[ap + 0] = [[ap + -1] + 0], ap++;",
    ]);
  });

  test("rejects an output that the circuit does not compute", () => {
    const analyzed = analyzeSierra(output("Other"));
    expect(() => compileSierra(analyzed)).toThrow(
      expect.objectContaining({
        code: "SIERRA_INVALID",
        message: expect.stringContaining("is not a value of circuit"),
      }),
    );
  });

  test("rejects an output that is not part of a circuit", () => {
    expect(() => analyzeSierra(output("felt252"))).toThrow(NOT_MADE);
  });
});

const NOT_MADE = expect.objectContaining({ code: "SIERRA_SPECIALIZATION" });

describe("into_u96_guarantee", () => {
  const guarantee = (lowest: bigint, highest: bigint): string => `
type Integer = BoundedInt<${lowest}, ${highest}>;
type U96Guarantee = U96Guarantee;
libfunc into = into_u96_guarantee<Integer>;
libfunc store = store_temp<U96Guarantee>;
into([0]) -> ([1]);
store([1]) -> ([1]);
return([1]);
test@0([0]: Integer) -> (U96Guarantee);`;

  test("accepts integers that fit", () => {
    expect(compiled(guarantee(0n, 2n ** 96n - 1n))).toEqual([
      "[ap + 0] = [fp + -3], ap++;",
      "ret;",
    ]);
  });

  test("rejects greater or negative integers", () => {
    expect(() => analyzeSierra(guarantee(0n, 2n ** 96n))).toThrow(NOT_MADE);
    expect(() => analyzeSierra(guarantee(-1n, 5n))).toThrow(NOT_MADE);
  });
});

test("u96_limbs_less_than_guarantee_verify rejects a single limb and too many", () => {
  const text = (limbs: bigint): string => `
type Two = U96LimbsLtGuarantee<2>;
type One = U96LimbsLtGuarantee<1>;
type U96Guarantee = U96Guarantee;
libfunc verify = u96_limbs_less_than_guarantee_verify<${limbs}>;`;
  expect(analyzeSierra(text(2n)).program.libfuncs).toHaveLength(1);
  expect(() => analyzeSierra(text(1n))).toThrow(NOT_MADE);
  expect(() => analyzeSierra(text(2n ** 60n))).toThrow(NOT_MADE);
});
