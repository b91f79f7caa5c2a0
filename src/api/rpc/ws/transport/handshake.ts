import { createHash } from "node:crypto";
import { emptyReply, type HttpReply, type HttpRequest, textReply } from "../../http/message.ts";

/** Suffix that servers append to the key (RFC 6455, section 1.3). */
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** 16 bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

const VERSION = "13";

/** Whether a GET requests a WebSocket. */
export function asksForWebSocket({ headers }: Pick<HttpRequest, "headers">): boolean {
  return holdsToken(headers.get("upgrade"), "websocket");
}

/**
 * Creates the response to the opening handshake (RFC 6455, section 4.2): 101 if it is valid, otherwise an
 * error.
 */
export function handshakeReply({ headers }: Pick<HttpRequest, "headers">): HttpReply {
  if (!holdsToken(headers.get("connection"), "upgrade")) {
    return refused("connection: expected upgrade");
  }
  const version = headers.get("sec-websocket-version");
  if (version !== VERSION) {
    return textReply(`sec-websocket-version: expected ${VERSION}\n`, 426, {
      connection: "close",
      upgrade: "websocket",
      "sec-websocket-version": VERSION,
    });
  }
  const key = headers.get("sec-websocket-key");
  if (key === null || !KEY.test(key)) {
    return refused("sec-websocket-key: expected 16 bytes in base64");
  }
  return emptyReply(101, { upgrade: "websocket", "sec-websocket-accept": acceptOf(key) });
}

/** Computes `Sec-WebSocket-Accept` from a key (RFC 6455, section 4.2.2). */
export function acceptOf(key: string): string {
  return createHash("sha1")
    .update(key + KEY_SUFFIX)
    .digest("base64");
}

function refused(reason: string): HttpReply {
  return textReply(`${reason}\n`, 400, { connection: "close" });
}

function holdsToken(list: string | null, token: string): boolean {
  return (list ?? "").split(",").some((item) => item.trim().toLowerCase() === token);
}
