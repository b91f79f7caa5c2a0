import { type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type {
  GatewayBlockReference,
  GatewayContractAddresses,
  GatewayTransactionStatus,
  PreConfirmedAnswer,
} from "../types.ts";
import type { Endpoint } from "#io/http/index.ts";
import { readBlockReference } from "../wire/block.ts";
import { readContractAddresses } from "../wire/contract-addresses.ts";
import { readPreConfirmed } from "../wire/pre-confirmed.ts";
import { readPublicKey } from "../wire/public-key.ts";
import { readGatewayTransactionStatus } from "../wire/transaction-status.ts";
import { GatewayRouter } from "./gateway-router.ts";
import type { BoundedRequest, Reply } from "./reply.ts";
import type { GatewayRequest } from "./attempt.ts";
import { isFault } from "./fault.ts";
import type { GatewayClientOptions } from "./options.ts";
import { Standstill } from "./standstill.ts";
import { readAccepted, submissionOf, type SubmissionReply } from "./submission.ts";

/** Client's copy of an unaccepted block, sent with each poll for more of it. */
export interface KnownPart {
  readonly identifier: string;
  readonly transactionCount: number;
}

/** Status of a transaction, or that no gateway reported one. */
export type StatusReply =
  | { readonly kind: "status"; readonly status: GatewayTransactionStatus }
  | { readonly kind: "unreachable"; readonly message: string };

/** Fetches blocks from gateways and submits transactions to them. */
export interface GatewayClient {
  /** Returns the newest accepted block; `undefined` until there is one. */
  head(): Promise<GatewayBlockReference | undefined>;
  /** Returns a block's number and hash; `undefined` if the gateway does not have it. */
  reference(blockNumber: number): Promise<GatewayBlockReference | undefined>;
  /** Returns the body of get_state_update with block and signature. */
  wholeBlock(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns the body of get_signature. */
  signature(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns the body of get_class_by_hash. */
  contractClass(classHash: Felt): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns the body of get_compiled_class_by_class_hash. */
  compiledClass(classHash: Felt): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns an unaccepted block, or its changes; `undefined` if it does not exist. */
  preConfirmed(
    blockNumber: number | "latest",
    known: KnownPart | undefined,
  ): Promise<PreConfirmedAnswer | undefined>;
  publicKey(): Promise<Felt>;
  contractAddresses(): Promise<GatewayContractAddresses>;
  /**
   * Lowers a gateway's preference for a while.
   *
   * @param about - response or error from the gateway; any other value selects the one that responded last
   */
  distrust(about: unknown): void;
  /** Returns the status of a transaction within {@link GatewayLimits.lookupMs}; never throws. */
  transactionStatus(hash: Felt): Promise<StatusReply>;
  /**
   * Submits a transaction. Returns within {@link GatewayLimits.submitMs}, for a declaration within
   * {@link GatewayLimits.declareMs}; never throws.
   *
   * @param bodyJson - body of add_transaction
   */
  addTransaction(bodyJson: string, isDeclaration: boolean): Promise<SubmissionReply>;
}

/** JSON limits of a response: four times the largest blocks of the public networks. */
const JSON_LIMITS = { maxDepth: 256, maxElements: 4 << 20, maxParts: 2 << 20 };

/**
 * Maximum size in bytes of a response that is parsed here, on the calling thread: an unaccepted block, or a
 * block of which only the header was requested.
 */
const READ_BYTES = 32 << 20;

/** Maximum length of an untrusted path or word quoted in a message. */
const MAX_SHOWN = 160;

/** Maximum size in bytes of a response that contains a few felts. */
const SHORT_BYTES = 4 << 20;

/**
 * Creates a client of one or more gateways.
 *
 * Block requests throw {@link NodeError} NODE_BAD_ANSWER for an invalid response, and NODE_STOPPED once the
 * signal is aborted. While no gateway responds, they retry forever.
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { limits } = options;
  const { silenceMs } = limits;
  const router = new GatewayRouter(options);

  const requestOf = (
    route: string,
    parameters: Readonly<Record<string, string>>,
    maxAnswerBytes: number,
    answerMs = limits.shortAnswerMs,
  ): GatewayRequest => {
    const query = new URLSearchParams(parameters).toString();
    return {
      route,
      query: query === "" ? "" : `?${query}`,
      body: undefined,
      maxAnswerBytes,
      silenceMs,
      answerMs,
    };
  };

  /** @param absent - the fault that means the entity does not exist */
  const text = async (
    route: string,
    parameters: Readonly<Record<string, string>>,
    absent: "BLOCK_NOT_FOUND" | "UNDECLARED_CLASS",
    maxAnswerBytes = limits.maxAnswerBytes,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const request = requestOf(route, parameters, maxAnswerBytes, limits.answerMs);
    return present(await router.send(request, true), route, absent)?.bytes;
  };

  const value = async <T>(
    request: GatewayRequest,
    read: (json: JsonValue) => T,
  ): Promise<T | undefined> => {
    const { route } = request;
    const answer = present(await router.send(request, false), route, "BLOCK_NOT_FOUND");
    if (answer === undefined) return undefined;
    try {
      return readAnswer(answer, route, read);
    } catch (error) {
      throw error instanceof NodeError ? router.blame(error, answer.bytes) : error;
    }
  };

  const always = async <T>(route: string, read: (json: JsonValue) => T): Promise<T> => {
    const answer = await value(requestOf(route, {}, SHORT_BYTES), read);
    if (answer !== undefined) return answer;
    throw new NodeError("NODE_BAD_ANSWER", `the gateway has no block for ${route}`);
  };

  const isAlone = options.gateways.length === 1;
  const headRequest = {
    ...headerRequest("latest"),
    silenceMs: isAlone ? silenceMs : limits.headSilenceMs,
  };
  const numberRequest: BoundedRequest<number> = {
    ...headRequest,
    forMs: limits.lookupMs,
    isRepeatable: true,
    read: (bytes, from) => readAnswer({ bytes, from }, "get_block", readBlockReference).number,
  };
  const standstill = new Standstill(options.timer, limits.standstillMs);

  return {
    async head() {
      const head = await value(headRequest, (json) => readBlockReference(json));
      if (!isAlone && standstill.record(head?.number ?? -1))
        void router.compareHeads(numberRequest);
      return head;
    },
    reference: (number) => value(headerRequest(String(number)), (json) => readBlockReference(json)),
    wholeBlock: (number) =>
      text(
        "get_state_update",
        { blockNumber: String(number), includeBlock: "true", includeSignature: "true" },
        "BLOCK_NOT_FOUND",
      ),
    signature: (number) =>
      text("get_signature", { blockNumber: String(number) }, "BLOCK_NOT_FOUND", SHORT_BYTES),
    contractClass: (hash) => text("get_class_by_hash", ofClass(hash), "UNDECLARED_CLASS"),
    compiledClass: (hash) =>
      text("get_compiled_class_by_class_hash", ofClass(hash), "UNDECLARED_CLASS"),
    preConfirmed(number, known) {
      const parameters = {
        blockNumber: String(number),
        blockIdentifier: known?.identifier ?? NO_IDENTIFIER,
        knownTransactionCount: String(known?.transactionCount ?? 0),
      };
      const requestedNumber = number === "latest" ? undefined : number;
      const maxBytes = Math.min(READ_BYTES, limits.maxAnswerBytes);
      const route = "get_preconfirmed_block";
      const request = requestOf(route, parameters, maxBytes, limits.answerMs);
      return value(request, (json) => readPreConfirmed(json, requestedNumber));
    },
    publicKey: () => always("get_public_key", readPublicKey),
    contractAddresses: () => always("get_contract_addresses", readContractAddresses),
    distrust: (about) => router.distrust(about),
    async transactionStatus(hash) {
      const route = "get_transaction_status";
      const request = requestOf(route, { transactionHash: hexFromFelt(hash) }, SHORT_BYTES);
      const reply = await router.requestWithin({
        ...request,
        forMs: limits.lookupMs,
        isRepeatable: true,
        read: (bytes, from) => readAnswer({ bytes, from }, route, readGatewayTransactionStatus),
      });
      switch (reply.kind) {
        case "answered":
          return { kind: "status", status: reply.value };
        case "refused":
          return { kind: "unreachable", message: refusal(reply, route).message };
        case "throttled":
        case "unanswered":
          return { kind: "unreachable", message: reply.error.message };
      }
    },
    async addTransaction(bodyJson, isDeclaration) {
      const forMs = isDeclaration ? limits.declareMs : limits.submitMs;
      const request = {
        route: "add_transaction",
        query: "",
        body: bodyJson,
        maxAnswerBytes: SHORT_BYTES,
        silenceMs: isDeclaration || isAlone ? forMs : limits.submitSilenceMs,
        answerMs: forMs,
      };
      // Sending a transaction to two gateways is harmless: its hash identifies it. A class would be compiled
      // twice.
      const isRepeatable = !isDeclaration;
      return submissionOf(
        await router.requestWithin({ ...request, forMs, isRepeatable, read: readAccepted }),
      );
    },
  };

  function headerRequest(blockNumber: string): GatewayRequest {
    // Gateways that ignore `headerOnly` respond with the whole block.
    const parameters = { blockNumber, headerOnly: "true" };
    const maxBytes = Math.min(READ_BYTES, limits.maxAnswerBytes);
    return requestOf("get_block", parameters, maxBytes, limits.answerMs);
  }
}

/** `blockIdentifier` of a client that has no block. */
const NO_IDENTIFIER = "0x0";

function ofClass(hash: Felt): Readonly<Record<string, string>> {
  return { classHash: hexFromFelt(hash), blockNumber: "latest" };
}

type Answered = Extract<Reply, { readonly kind: "answered" }>;

/** Returns the response, or `undefined` for the fault `absent`. */
function present(reply: Reply, route: string, absent: string): Answered | undefined {
  if (reply.kind === "answered") return reply;
  if (isFault(reply.fault, absent)) return undefined;
  throw refusal(reply, route);
}

function refusal({ fault, from }: Extract<Reply, { kind: "refused" }>, route: string): NodeError {
  const said = `${fault.code}: ${fault.message}`.slice(0, 500);
  return new NodeError("NODE_BAD_ANSWER", `${from.name} refused ${route}: ${said}`);
}

function readAnswer<T>(
  { bytes, from }: { readonly bytes: Uint8Array; readonly from: Endpoint },
  route: string,
  read: (json: JsonValue) => T,
): T {
  try {
    return read(parseJson(new TextDecoder().decode(bytes), JSON_LIMITS));
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    // The path contains member names chosen by the gateway.
    const { path, expected } = cause;
    const place = path === "" ? "value" : path.slice(0, MAX_SHOWN);
    const found = from.masked(`${place}: expected ${expected.slice(0, MAX_SHOWN)}`);
    throw new NodeError(
      "NODE_BAD_ANSWER",
      `the response of ${from.name} to ${route} is malformed: ${found}`,
    );
  }
}
