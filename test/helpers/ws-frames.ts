/** Options of {@link clientFrame}. */
export interface FrameOptions {
  readonly opcode?: number;
  readonly isFinal?: boolean;
  /** Four bytes; `null` for a frame without a mask. */
  readonly mask?: Uint8Array | null;
}

/** A client frame, independent of the code under test. */
export function clientFrame(payload: string | Uint8Array, options: FrameOptions = {}): Buffer {
  const { opcode = 1, isFinal = true, mask = Uint8Array.of(1, 2, 3, 4) } = options;
  const bytes = Buffer.from(payload as string);
  const maskBit = mask === null ? 0 : 0x80;
  const length =
    bytes.length < 126
      ? [maskBit | bytes.length]
      : bytes.length < 65_536
        ? [maskBit | 126, bytes.length >> 8, bytes.length & 255]
        : [
            maskBit | 127,
            ...Array.from(
              { length: 8 },
              (_, i) => Math.floor(bytes.length / 2 ** (8 * (7 - i))) % 256,
            ),
          ];
  const masked = mask === null ? bytes : bytes.map((byte, i) => byte ^ (mask[i % 4] as number));
  return Buffer.concat([
    Uint8Array.from([(isFinal ? 0x80 : 0) | opcode, ...length]),
    mask ?? new Uint8Array(0),
    masked,
  ]);
}

/** A frame of a server. */
export interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Reads complete server frames from the start of `bytes`; they must be final and unmasked. */
export function serverFrames(bytes: Buffer): { frames: ServerFrame[]; rest: Buffer } {
  const frames: ServerFrame[] = [];
  let rest = bytes;
  for (;;) {
    if (rest.length < 2) return { frames, rest };
    const [first = 0, second = 0] = rest;
    if ((first & 0x80) === 0 || (second & 0x80) !== 0) throw new TypeError("no frame of a server");
    let head = 2;
    let size = second;
    if (second === 126) {
      if (rest.length < 4) return { frames, rest };
      [head, size] = [4, rest.readUInt16BE(2)];
    } else if (second === 127) {
      if (rest.length < 10) return { frames, rest };
      [head, size] = [10, Number(rest.readBigUInt64BE(2))];
    }
    if (rest.length < head + size) return { frames, rest };
    frames.push({ opcode: first & 15, payload: rest.subarray(head, head + size) });
    rest = rest.subarray(head + size);
  }
}

/** The code and reason of a close frame. */
export function closeOf({ payload }: ServerFrame): readonly [code: number, reason: string] {
  return [payload.readUInt16BE(0), payload.subarray(2).toString()];
}
