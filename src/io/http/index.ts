export { type Endpoint, endpointOf, endpointsOf } from "./endpoint.ts";
export {
  exchange,
  exchangeBy,
  type HttpAnswer,
  type HttpMethod,
  type HttpRequest,
  isUnsent,
} from "./exchange.ts";
export { type LinkedSignal, linkedSignal } from "./linked-signal.ts";
export { pause } from "./pause.ts";
export { type JsonPost, type JsonPosted, postJson } from "./post-json.ts";
export { postStreamed, type StreamedAnswer, type StreamedPost } from "./post-streamed.ts";
export { retryAfterMs } from "./retry-after.ts";
