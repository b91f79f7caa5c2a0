import type { ResponseBody } from "#api/rpc/batch.ts";
import { HeldBytes } from "#api/rpc/limits/held-bytes.ts";
import { FakeTimer } from "./fake-timer.ts";

/** Creates a {@link HeldBytes} budget on a clock that the test advances. */
export function heldBytesWorld(maxBytes: number, patienceMs = 30_000) {
  const timer = new FakeTimer();
  return { held: new HeldBytes({ maxBytes, patienceMs, timer }), timer };
}

/** Creates a {@link HeldBytes} budget that is never exhausted. */
export function roomyBytes(): HeldBytes {
  return heldBytesWorld(2 ** 50).held;
}

const utf8 = new TextDecoder();

/** The text of a body in any form. */
export function bodyText(body: ResponseBody | Uint8Array | null): string {
  if (body === undefined || body === null) return "";
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return utf8.decode(body);
  return body.map((piece) => bodyText(piece)).join("");
}
