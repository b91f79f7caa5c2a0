import { expect, test } from "bun:test";
import { named, type Schema } from "#base/codec/index.ts";
import { SchemaComponents } from "#api/rpc/openrpc/components.ts";

const REFERENCE = { $ref: "#/components/schemas/LEAF" };

test("a named schema is written once, wherever it is used", () => {
  const leaf = named("LEAF", { type: "string" });
  const components = new SchemaComponents();
  const written = components.write({
    type: "object",
    properties: { one: leaf, many: { type: "array", items: leaf } },
    additionalProperties: leaf,
    oneOf: [leaf, { type: "array", items: [leaf] }],
  });
  expect(written).toEqual({
    type: "object",
    properties: { one: REFERENCE, many: { type: "array", items: REFERENCE } },
    additionalProperties: REFERENCE,
    oneOf: [REFERENCE, { type: "array", items: [REFERENCE] }],
  });
  expect(components.all()).toEqual({ LEAF: { type: "string" } });
});

test("a named schema may refer to itself", () => {
  const tree: Schema = named("TREE", () => ({ type: "array", items: tree }));
  const components = new SchemaComponents();
  expect(components.write(tree)).toEqual({ $ref: "#/components/schemas/TREE" });
  expect(components.all()).toEqual({
    TREE: { type: "array", items: { $ref: "#/components/schemas/TREE" } },
  });
});

test("two schemas with the same name must be equal", () => {
  const components = new SchemaComponents();
  components.write(named("LEAF", { type: "string" }));
  expect(components.write(named("LEAF", { type: "string" }))).toEqual(REFERENCE);
  expect(() => components.write(named("LEAF", { type: "integer" }))).toThrow("LEAF");
});
