import * as jsonSchemaPackage from "@json-schema-tools/meta-schema";
import * as openRpcPackage from "@open-rpc/meta-schema";
import Ajv from "ajv";

// The packages' type declarations lack their modules' exports.
const { jsonSchema } = jsonSchemaPackage as unknown as { readonly jsonSchema: object };
const { openrpcDocument } = openRpcPackage as unknown as { readonly openrpcDocument: object };

/**
 * Validates an OpenRPC document by the meta-schema of the OpenRPC project.
 *
 * @returns the findings; empty if it is valid
 */
export function openRpcFindings(document: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(jsonSchema);
  // References to it exist with and without the empty path.
  ajv.addSchema({ ...jsonSchema, $id: "https://meta.json-schema.tools" });
  const validate = ajv.compile(openrpcDocument);
  return validate(document)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}
