import { existsSync } from "node:fs";
import { fixturePath, readFixtureJson } from "./shared.ts";
import { createSchemaValidator, type JsonObject, type SchemaPlace } from "./json-schema.ts";

const FILES = [
  "starknet_api_openrpc.json",
  "starknet_trace_api_openrpc.json",
  "starknet_write_api.json",
  "starknet_executables.json",
] as const;

/** An error that a method may return. */
export interface OpenRpcError {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  /** Schema of the data; the text "string" allows any text. */
  readonly data: JsonObject | string | undefined;
  readonly document: string;
}

/** A method of the specification. */
export interface OpenRpcMethod {
  /** Name without the prefix `starknet_`. */
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required: boolean }[];
  readonly result: SchemaPlace;
  readonly errors: readonly OpenRpcError[];
}

/** A version of the specification with its validator. */
export interface OpenRpc {
  readonly methods: ReadonlyMap<string, OpenRpcMethod>;
  /** All errors by name. */
  readonly errors: ReadonlyMap<string, OpenRpcError>;
  /** Findings about a result. */
  resultFindings(method: string, result: unknown): string[];
  /** Findings about an error, its code, message and data included. */
  errorFindings(method: string, error: unknown): string[];
  /** Findings about a value, by a named schema of the main document. */
  schemaFindings(schemaName: string, value: unknown): string[];
}

/** Reads the OpenRPC files of a version, for example `v0.10.2`. */
export function loadOpenRpc(version: string): OpenRpc {
  const documents = new Map(
    FILES.filter((file) => existsSync(fixturePath("rpc-spec", version, file))).map((file) => [
      file,
      readFixtureJson("rpc-spec", version, file) as JsonObject,
    ]),
  );
  const validator = createSchemaValidator(documents);
  const methods = new Map<string, OpenRpcMethod>();
  const allErrors = new Map<string, OpenRpcError>();

  const errorOf = (reference: string, from: string): OpenRpcError => {
    const { document, schema } = validator.resolve(reference, from);
    const name = reference.split("/").at(-1) ?? "";
    if (typeof schema["$ref"] === "string") return errorOf(schema["$ref"], document);
    return {
      name,
      document,
      code: schema["code"] as number,
      message: schema["message"] as string,
      data: schema["data"] as JsonObject | string | undefined,
    };
  };

  for (const [document, content] of documents) {
    for (const method of content["methods"] as readonly JsonObject[]) {
      const name = (method["name"] as string).replace("starknet_", "");
      const errors = ((method["errors"] ?? []) as readonly JsonObject[]).map((error) =>
        errorOf(error["$ref"] as string, document),
      );
      for (const error of errors) allErrors.set(error.name, error);
      methods.set(name, {
        name,
        errors,
        params: (method["params"] as readonly JsonObject[]).map((param) => ({
          name: param["name"] as string,
          required: param["required"] === true,
        })),
        result: { document, schema: (method["result"] as JsonObject)["schema"] as JsonObject },
      });
    }
  }

  for (const error of subscriptionErrors(version)) allErrors.set(error.name, error);

  return {
    methods,
    errors: allErrors,
    resultFindings(name, result) {
      const method = methods.get(name);
      return method === undefined
        ? [`no method ${name}`]
        : validator.validate(result, method.result);
    },
    errorFindings(name, error) {
      const { code, message, data } = error as { code: number; message: string; data?: unknown };
      const declared = methods.get(name)?.errors.find((candidate) => candidate.code === code);
      if (declared === undefined) return [`code ${code} is not declared for ${name}`];
      if (declared.message !== message) return [`message "${message}" for "${declared.message}"`];
      if (declared.data === undefined) return [];
      if (typeof declared.data === "string") {
        return data === undefined || typeof data === "string" ? [] : ["data is not text"];
      }
      return validator.validate(data, { document: declared.document, schema: declared.data });
    },
    schemaFindings: (schemaName, value) =>
      validator.validate(
        value,
        validator.resolve(`#/components/schemas/${schemaName}`, "starknet_api_openrpc.json"),
      ),
  };
}

/** Errors of subscriptions, which are in a separate file. */
function subscriptionErrors(version: string): OpenRpcError[] {
  const document = "starknet_ws_api.json";
  if (!existsSync(fixturePath("rpc-spec", version, document))) return [];
  const { components } = readFixtureJson("rpc-spec", version, document) as {
    readonly components: { readonly errors: Readonly<Record<string, JsonObject>> };
  };
  return Object.entries(components.errors).map(([name, { code, message }]) => ({
    name,
    document,
    code: code as number,
    message: message as string,
    data: undefined,
  }));
}
