import {
  type Caller,
  type HttpReply,
  type HttpRequest,
  jsonReply,
  type PostRoute,
  type SideRoute,
} from "#api/rpc/index.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { badParameter, ExplorerFault, notFound } from "./fault.ts";
import { listAnswer } from "./list-answer.ts";
import { Parameters } from "./parameters.ts";
import type { ExplorerData } from "./port.ts";
import { writeRejected } from "./rejected.ts";
import { writeStatus } from "./status.ts";
import { SharedAnswers } from "./shared-answers.ts";
import type { ExplorerWork } from "./works.ts";

/** The chain changes all the time; browsers also keep no data of a private chain. */
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

const PAGE = ["limit", "after"] as const;

/** Transactions of a page of blocks by default. */
const NEWEST_TRANSACTIONS = 10;

const MINUTE_S = 60;

/** A list: its parameters besides those of a page, and its parameters on the query thread. */
interface List {
  readonly work: ExplorerWork;
  readonly filters: readonly string[];
  /** Count of numbers in the cursor. */
  readonly places: number;
  /** Parameters before those of the page. */
  readonly paramsOf: (parameters: Parameters) => readonly JsonValue[];
}

const LISTS: readonly List[] = [
  {
    work: "transactions",
    filters: ["sender", "contract"],
    places: 2,
    paramsOf(parameters) {
      const [filter, other] = ["sender", "contract"].filter((name) => parameters.has(name));
      if (filter === undefined || other !== undefined) {
        return badParameter("expected one of the parameters sender and contract");
      }
      return [filter, hexFromFelt(parameters.felt(filter))];
    },
  },
  {
    work: "transfers",
    filters: ["holder", "token"],
    places: 3,
    paramsOf(parameters) {
      const felts = ["holder", "token"].map((name) =>
        parameters.has(name) ? hexFromFelt(parameters.felt(name)) : null,
      );
      const isEmpty = felts.every((felt) => felt === null);
      return isEmpty ? badParameter("expected the parameter holder, token, or both") : felts;
    },
  },
  {
    work: "contracts",
    filters: ["class"],
    places: 2,
    paramsOf: (parameters) => [hexFromFelt(parameters.felt("class"))],
  },
  { work: "declared", filters: [], places: 3, paramsOf: () => [] },
];

/** Creates the routes of `/explorer/api/…`, which the page reads data from that JSON-RPC lacks. */
export function dataRoutes(data: ExplorerData): readonly (SideRoute | PostRoute)[] {
  const shared = new SharedAnswers(() => data.version());
  /** An answer that is the same for all clients. */
  const sharedAnswer = (
    caller: Caller,
    work: ExplorerWork,
    params: readonly JsonValue[],
  ): Promise<Uint8Array> =>
    shared.get(`${work} ${stringifyJson([...params])}`, () =>
      listAnswer(data, caller, work, [...params]),
    );
  const lists = LISTS.map(({ work, filters, places, paramsOf }) =>
    dataRoute(work, [...filters, ...PAGE], async (parameters, { caller }) => {
      const first = paramsOf(parameters);
      const after = parameters.after(places);
      const params = [...first, after === null ? null : [...after], parameters.limit()];
      return listAnswer(data, caller, work, params);
    }),
  );
  return [
    ...lists,
    dataRoute("blocks", ["transactions", ...PAGE], async (parameters, { caller }) => {
      const shown = parameters.count("transactions", 0, NEWEST_TRANSACTIONS);
      const after = parameters.after(1);
      const params = [shown, after === null ? null : [...after], parameters.limit()];
      return sharedAnswer(caller, "blocks", params);
    }),
    dataRoute("activity", [], (_, { caller }) =>
      sharedAnswer(caller, "activity", [MINUTE_S * Math.floor(data.nowMs() / MINUTE_S / 1000)]),
    ),
    dataRoute("trace", ["transaction"], async (parameters, { caller }) => {
      const hash = hexFromFelt(parameters.felt("transaction"));
      const answer = await listAnswer(data, caller, "trace", [hash]);
      return isNull(answer) ? notFound(`transaction ${hash} is in no block`) : answer;
    }),
    {
      path: "/explorer/api/simulate",
      refuse: tooFast,
      refuseBody: errorReply,
      post: ({ request: { caller } }, text) =>
        answered(() => listAnswer(data, caller, "simulate", bodyOf(text))),
    },
    dataRoute("rejected", [], () => Promise.resolve(stringifyJson(writeRejected(data.rejected())))),
    dataRoute("status", [], async () => stringifyJson(writeStatus(await data.status()))),
  ];
}

function dataRoute(
  name: string,
  allowed: readonly string[],
  answer: (parameters: Parameters, request: HttpRequest) => Promise<string | Uint8Array>,
): SideRoute {
  return {
    path: `/explorer/api/${name}`,
    refuse: tooFast,
    answer: ({ request }) =>
      answered(async () => answer(new Parameters(request.url, allowed), request)),
  };
}

async function answered(answer: () => Promise<string | Uint8Array>): Promise<HttpReply> {
  try {
    return jsonReply(await answer(), 200, HEADERS);
  } catch (error) {
    if (!(error instanceof ExplorerFault)) throw error;
    const { status, message } = error;
    return errorReply(status, message, status < 429 ? {} : { "retry-after": "1" });
  }
}

function tooFast(message: string, waitSeconds: number): HttpReply {
  return errorReply(429, message, { "retry-after": String(waitSeconds) });
}

/** Parses a body, whose members are checked on the query thread. */
function bodyOf(text: string): JsonObject {
  try {
    const body = parseJson(text);
    if (isJsonObject(body)) return body;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  return badParameter("body: expected a JSON object");
}

const NULL_BYTES = "null".length;

function isNull(answer: Uint8Array): boolean {
  return answer.byteLength === NULL_BYTES && new TextDecoder().decode(answer) === "null";
}

function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>>,
): HttpReply {
  return jsonReply(stringifyJson({ error: { message } }), status, { ...HEADERS, ...headers });
}
