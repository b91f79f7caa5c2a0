import { expect, test } from "bun:test";
import { circuitInfoOf } from "#engine/sierra/libfuncs/circuit/circuit-info-of.ts";
import type { TypeInfo } from "#engine/sierra/program/program.ts";
import { createRegistry } from "#engine/sierra/registry/registry.ts";
import { declarations, infoOf } from "#test/helpers/sierra/declarations.ts";

const DESCRIPTION = infoOf("z");

/** Circuit declared before its parts, with info that the program states. */
function circuitsOf(stated: Readonly<Record<string, TypeInfo>>) {
  const types = declarations(
    {
      circuit: ["Circuit", "outputs"],
      input: ["CircuitInput", 0n],
      outputs: ["Struct", "ut@Tuple", "input"],
    },
    { outputs: DESCRIPTION, ...stated },
  );
  return createRegistry({ types, libfuncs: [], statements: [], functions: [] }, {}, circuitInfoOf)
    .circuits;
}

test("a circuit may only use later parts whose info is declared", () => {
  expect(circuitsOf({ input: DESCRIPTION }).get(0)?.inputCount).toBe(1);
  expect(() => circuitsOf({})).toThrow("type #0: its part, type #1, is not declared before");
});
