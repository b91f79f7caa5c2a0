import * as jsonSchemaPackage from "@json-schema-tools/meta-schema";
import * as openRpcPackage from "@open-rpc/meta-schema";
import Ajv from "ajv";

// The types of the packages do not name what their modules export.
const { jsonSchema } = jsonSchemaPackage as unknown as { readonly jsonSchema: object };
const { openrpcDocument } = openRpcPackage as unknown as { readonly openrpcDocument: object };

/**
 * What is wrong with an OpenRPC document by the meta-schema that the OpenRPC project publishes; empty
 * when it fits.
 */
export function openRpcFindings(document: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(jsonSchema);
  // It is referred to with and without the blank path.
  ajv.addSchema({ ...jsonSchema, $id: "https://meta.json-schema.tools" });
  const validate = ajv.compile(openrpcDocument);
  return validate(document)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}
