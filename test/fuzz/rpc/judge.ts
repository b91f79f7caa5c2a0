import { DEVNET_CODES } from "#api/rpc/index.ts";
import { JSON_RPC_CODES } from "#api/rpc/json-rpc.ts";
import { RPC_ERRORS } from "#api/rpc/errors.ts";
import { findingsOf } from "#test/helpers/rpc.ts";
import { hasFixtures } from "#test/helpers/shared.ts";
import type { MadeRequest } from "./requests.ts";

/** Response to a body; `undefined` for none, as for notifications. */
export type AnswerText = string | undefined;

const { parseError: PARSE_ERROR, invalidRequest: INVALID_REQUEST } = JSON_RPC_CODES;
const PROTOCOL_CODES: ReadonlySet<number> = new Set(Object.values(JSON_RPC_CODES));
const OTHER_CODES: ReadonlySet<number> = new Set([
  ...Object.values(RPC_ERRORS).map(({ code }) => code),
  ...Object.values(DEVNET_CODES as Readonly<Record<string, number>>),
]);

interface Asked {
  readonly id: unknown;
  /** Method without prefix; `undefined` if this is no JSON-RPC request. */
  readonly method: string | undefined;
  readonly isSilent: boolean;
}

/** Whether a body must get no response. */
export function isSilentBody(body: string): boolean {
  const value = parsed(body);
  if (value === undefined) return false;
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return list.length > 0 && list.every((one) => askedOf(one).isSilent);
}

/** Faults of a response; empty if there are no faults. */
export function findingsAbout(request: MadeRequest, answer: AnswerText): string[] {
  if (answer === undefined) {
    return isSilentBody(request.body) ? [] : ["there is no answer to a request"];
  }
  const value = parsed(answer);
  if (value === undefined) return [`the answer is no JSON: ${answer.slice(0, 200)}`];
  const call = parsed(request.body);
  if (!Array.isArray(value)) {
    const isOne = call !== undefined && !Array.isArray(call);
    return findingsOfOne(request, isOne ? askedOf(call) : undefined, value);
  }
  if (!Array.isArray(call)) return ["a list of answers to what is no batch"];
  const open = (call as readonly unknown[]).map(askedOf).filter(({ isSilent }) => !isSilent);
  if (open.length !== value.length) return [`${value.length} answers to ${open.length} requests`];
  return (value as readonly unknown[]).flatMap((one, i) => findingsOfOne(request, open[i], one));
}

/**
 * @param call - `undefined` if no request could be read; the response is an error without an id
 */
function findingsOfOne(request: MadeRequest, call: Asked | undefined, answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null) return ["an answer is no object"];
  const { jsonrpc, id, result, error, ...rest } = answer as Readonly<Record<string, unknown>>;
  const found: string[] = [];
  if (jsonrpc !== "2.0") found.push(`jsonrpc is ${String(jsonrpc)}`);
  if (Object.keys(rest).length > 0) found.push(`other members: ${Object.keys(rest).join(", ")}`);
  const isResult = Object.hasOwn(answer, "result");
  if (isResult === Object.hasOwn(answer, "error")) found.push("not one of result and error");
  const { code } = (error ?? {}) as { code?: unknown };
  // A body beyond a limit is not read: its ids are unknown, and whether it was a notification.
  const isUnread = id === null && (code === PARSE_ERROR || code === INVALID_REQUEST);
  if (!isUnread && call?.isSilent === true) found.push("a notification is answered");
  if (!isUnread && call?.id !== id) found.push(`id ${String(id)} for ${String(call?.id)}`);
  if (!isResult) found.push(...findingsOfError(request.version, call?.method, error));
  else if (call?.method !== undefined && isInFiles(call.method)) {
    found.push(...findingsOfResult(request.version, call.method, result));
  }
  return found;
}

function findingsOfError(version: string, method: string | undefined, error: unknown): string[] {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== "number" || typeof message !== "string") return ["the error has no form"];
  if (code === JSON_RPC_CODES.internalError) return [`internal error ${JSON.stringify(error)}`];
  if (PROTOCOL_CODES.has(code)) return [];
  if (method === undefined) return [`code ${code} without a method`];
  if (!isInFiles(method)) return OTHER_CODES.has(code) ? [] : [`unknown code ${code}`];
  return findingsOf(version, method, { error: error as { code: number; message: string } });
}

function findingsOfResult(version: string, method: string, result: unknown): string[] {
  // test/rpc/getCompiledCasm.test.ts documents how hints differ.
  if (method === "getCompiledCasm") return [];
  return findingsOf(version, method, { result }).map((text) => `${method}: ${text}`);
}

/** Whether the OpenRPC files describe a method's response. */
function isInFiles(method: string): boolean {
  return hasFixtures("rpc-spec") && !/^(?:dev|sub|unsub)/.test(method);
}

function askedOf(value: unknown): Asked {
  const { jsonrpc, id, method, params } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Readonly<Record<string, unknown>>;
  const hasId = ["string", "number"].includes(typeof id);
  const isRequest =
    !Array.isArray(value) &&
    jsonrpc === "2.0" &&
    typeof method === "string" &&
    (id === undefined || id === null || hasId) &&
    (params === undefined || typeof params === "object");
  return {
    id: hasId ? id : null,
    method: isRequest ? method.replace(/^(?:starknet|chain)_/, "") : undefined,
    isSilent: isRequest && id === undefined,
  };
}

function parsed(text: string): unknown {
  try {
    // A byte order mark may be ignored (RFC 8259, section 8.1).
    return JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
  } catch {
    return undefined;
  }
}
