export { type Endpoint, endpointOf } from "./endpoint.ts";
export { exchange, type HttpAnswer, type HttpRequest, isUnsent } from "./exchange.ts";
export { pause } from "./pause.ts";
export { retryAfterMs } from "./retry-after.ts";
