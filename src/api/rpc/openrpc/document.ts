import type { JsonObject } from "#base/codec/index.ts";
import { RPC_ERRORS, type RpcErrorName, RpcFault } from "../errors.ts";
import type { MethodInfo, ParamInfo } from "../bound-method.ts";
import type { SpecVersion } from "../spec/version.ts";
import { METHOD_PREFIXES, type MethodTable } from "../table.ts";
import { SchemaComponents } from "./components.ts";

/** Version of OpenRPC that documents are written in. */
export const OPENRPC_VERSION = "1.3.2";

const [PREFIX, ...ALIASES] = METHOD_PREFIXES;

/**
 * Creates the OpenRPC document of a version as served here: every method with its parameters, its result and
 * its errors. Parameter schemas describe what the decoders accept; result schemas describe exactly what the
 * encoders write.
 *
 * Source: OpenRPC 1.3.2.
 */
export function openRpcDocument({
  spec,
  methods,
  subscriptions,
  extensions,
  developer,
}: MethodTable): JsonObject {
  const errors = new Map<string, JsonObject>();
  const schemas = new SchemaComponents();
  const described = [
    ...[...methods.values()].map((method) => describe(spec, method, { errors, schemas })),
    ...[...subscriptions.values()].map((method) => ({
      ...describe(spec, method, { errors, schemas }),
      "x-transport": "websocket",
    })),
    ...[...extensions.values(), ...developer.values()].map((method) => ({
      ...describe(spec, method, { errors, schemas }),
      name: method.name,
      "x-aliases": [],
    })),
  ];
  return {
    openrpc: OPENRPC_VERSION,
    info: {
      title: "appchain JSON-RPC",
      version: spec.version,
      description:
        "The methods of the Starknet JSON-RPC specification that this node serves. `x-aliases` are equivalent names; a parameter with `x-elidable` may be omitted, by position if exactly the other required ones are present; `x-transport` is the only transport of a method.",
    },
    externalDocs: {
      description: "The specification, with what all values mean",
      url: `https://github.com/starkware-libs/starknet-specs/tree/v${spec.version}/api`,
    },
    methods: described,
    components: { schemas: schemas.all(), errors: Object.fromEntries(errors) },
  };
}

/** Components that methods refer to. */
interface Components {
  readonly errors: Map<string, JsonObject>;
  readonly schemas: SchemaComponents;
}

function describe(
  spec: SpecVersion,
  { name, summary, params, answer = {}, errors: errorNames }: MethodInfo,
  { errors, schemas }: Components,
): JsonObject {
  const names = new Set(errorNames.map((error) => addError(spec, name, error, errors)));
  return {
    name: PREFIX + name,
    summary,
    paramStructure: "either",
    params: params.map((param) => describeParam(param, schemas)),
    result: { name: "result", schema: schemas.write(answer) },
    errors: [...names].map((error) => ({ $ref: `#/components/errors/${error}` })),
    "x-aliases": ALIASES.map((prefix) => prefix + name),
  };
}

function describeParam(
  { name, need, describe, schema = {} }: ParamInfo,
  schemas: SchemaComponents,
): JsonObject {
  return {
    name,
    description: describe,
    required: need !== "optional",
    schema: schemas.write(schema),
    ...(need === "elidable" ? { "x-elidable": true } : {}),
  };
}

/** Adds an error in the version's form for a method. @returns its name in the components */
function addError(
  spec: SpecVersion,
  method: string,
  error: RpcErrorName,
  errors: Map<string, JsonObject>,
): string {
  const { code, message } = spec.error(new RpcFault(error), method);
  const [name = error] = Object.entries(RPC_ERRORS).find(([, known]) => known.code === code) ?? [];
  errors.set(name, { code, message });
  return name;
}
