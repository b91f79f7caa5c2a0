/** Frame opcodes (RFC 6455, section 5.2). */
export const OPCODES = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

/** Close codes (RFC 6455, section 7.4.1, and IANA's registry of close codes). */
export const CLOSE_CODES = {
  normal: 1000,
  /** The server stops. */
  goingAway: 1001,
  protocolError: 1002,
  invalidText: 1007,
  /** The client reads too slowly, or exceeds a limit. */
  policyViolation: 1008,
  messageTooBig: 1009,
  internalError: 1011,
} as const;

/** Close code of a WebSocket: one of {@link CLOSE_CODES}, or one that a client has sent. */
export type CloseCode = number;

/** Maximum payload of a control frame in bytes (RFC 6455, section 5.5). */
export const MAX_CONTROL_BYTES = 125;

/**
 * Encodes a complete frame as servers send it: final, unmasked (RFC 6455, section 5.1).
 *
 * @param parts - payload, in parts that are joined; text becomes UTF-8
 */
export function encodeFrame(
  opcode: number,
  ...parts: readonly (string | Uint8Array)[]
): Uint8Array {
  let size = 0;
  for (const part of parts) size += Buffer.byteLength(part);
  const headBytes = size < 126 ? 2 : size < 0x1_0000 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headBytes + size);
  frame[0] = 0x80 | opcode;
  if (headBytes === 2) frame[1] = size;
  else if (headBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  let at = headBytes;
  for (const part of parts) {
    if (typeof part === "string") at += frame.write(part, at);
    else {
      frame.set(part, at);
      at += part.byteLength;
    }
  }
  return frame;
}

const utf8 = new TextEncoder();

/**
 * Encodes the payload of a close frame.
 *
 * @param reason - cut to the size of a control frame; must be ASCII, so that no character is split
 */
export function closePayload(code: CloseCode, reason: string): Uint8Array {
  const text = utf8.encode(reason).subarray(0, MAX_CONTROL_BYTES - 2);
  return Buffer.concat([Uint8Array.of(code >> 8, code & 0xff), text]);
}

/** Whether a client may send this close code (RFC 6455, section 7.4). */
export function isCloseCode(code: number): boolean {
  if (code >= 3000) return code < 5000;
  return code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006;
}
