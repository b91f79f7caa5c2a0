import {
  type HttpReply,
  type HttpRequest,
  JSON_LIMITS,
  LONG_BODY,
  readBodyText,
  Turns,
  Unpacker,
} from "#api/rpc/index.ts";
import { array, type Decoder, felt, mismatch, object, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import type { ContractCall } from "#engine/execution/index.ts";
import type { GatewayRoute } from "../../app.ts";
import { gatewayErrorReply } from "../../errors.ts";
import type { FeederDeps } from "../deps.ts";
import { GatewayFault } from "../fault.ts";
import { longAnswer } from "../long-answer.ts";
import type { Query } from "../query.ts";
import { bytesReply } from "../reply.ts";
import { selectedBlock, selectionOf } from "../selection.ts";
import { feederRoute } from "./route.ts";

/** Maximum body size in bytes. Equal to the limit of a JSON-RPC call, and more than any real call needs. */
const MAX_BODY_BYTES = 1 << 20;

/** Clients write calldata in decimal. */
const decimalOrHex: Decoder<Felt> = {
  describe: "felt (0x hex or decimal below the prime)",
  decode(value, path) {
    const isDecimal = typeof value === "string" && /^\d{1,76}$/.test(value);
    if (!isDecimal) return felt.decode(value, path);
    const number = BigInt(value);
    return number < FIELD_PRIME ? number : mismatch(path, decimalOrHex.describe, value);
  },
};

const callMembers = object({
  contract_address: decimalOrHex,
  entry_point_selector: decimalOrHex,
  calldata: array(decimalOrHex),
});

/** Dependencies of {@link call}. */
interface Reading extends FeederDeps {
  readonly unpacker: Unpacker;
  readonly turns: Turns;
}

/** Route call_contract: a read-only call of a contract function. It uses POST but changes nothing. */
export function callRoutes(deps: FeederDeps): readonly GatewayRoute[] {
  const reading: Reading = { ...deps, unpacker: new Unpacker(), turns: new Turns() };
  return [feederRoute("call_contract", (request, query) => call(reading, request, query), "POST")];
}

async function call(deps: Reading, request: HttpRequest, query: Query): Promise<HttpReply> {
  const { context, queryPool, unpacker, turns } = deps;
  const selection = selectionOf(query);
  const at = selection.kind === "pending" ? null : selectedBlock(context, selection).header;
  const body = await readBodyText(request, MAX_BODY_BYTES, unpacker);
  if (body.kind === "refused") {
    return gatewayErrorReply("MALFORMED_REQUEST", body.reason, body.status, body.headers);
  }
  let contractCall: ContractCall;
  try {
    if (body.text.length > LONG_BODY) await turns.take(request.caller);
    contractCall = readCall(body.text);
  } finally {
    request.release();
    body.done();
  }
  const answer = await longAnswer(queryPool, request.caller, "feederCall", [
    at === null ? null : at.number,
    at === null ? null : hexFromFelt(at.hash),
    hexFromFelt(contractCall.contractAddress),
    hexFromFelt(contractCall.entryPointSelector),
    contractCall.calldata.map(hexFromFelt),
  ]);
  return bytesReply(request, answer);
}

/**
 * Parses the body of a call.
 *
 * @throws {GatewayFault} MALFORMED_REQUEST for invalid JSON, SCHEMA_VALIDATION_ERROR for an invalid shape
 */
function readCall(text: string): ContractCall {
  try {
    const read = callMembers.decode(parseJson(text, { ...JSON_LIMITS, exactNumbers: true }), "");
    return {
      contractAddress: read.contract_address,
      entryPointSelector: read.entry_point_selector,
      calldata: read.calldata,
    };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const name = error.path === "" ? "MALFORMED_REQUEST" : "SCHEMA_VALIDATION_ERROR";
    throw new GatewayFault(name, error.message);
  }
}
