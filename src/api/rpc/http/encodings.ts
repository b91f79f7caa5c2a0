import { brotliCompress, constants, deflate, gzip, zstdCompress } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

type Done = (error: Error | null, output: Uint8Array) => void;

/** Compresses on another thread; fails if the output would exceed `maxBytes`. */
type Encoder = (bytes: Uint8Array, maxBytes: number, done: Done) => void;

/** Output is 7 % larger than with zlib's default, in two thirds of the time. */
const ZLIB_LEVEL = 3;

const deflater =
  (compress: typeof gzip): Encoder =>
  (bytes, maxOutputLength, done) => {
    compress(bytes, { level: ZLIB_LEVEL, maxOutputLength }, done);
  };

/**
 * Encoders by name of the content coding (RFC 9110, section 8.4.1), the fastest for their output size first.
 * They use fast compression levels.
 */
export const ENCODERS = {
  zstd: (bytes, maxOutputLength, done) => {
    zstdCompress(
      bytes,
      { params: { [constants.ZSTD_c_compressionLevel]: 1 }, maxOutputLength },
      done,
    );
  },
  br: (bytes, maxOutputLength, done) => {
    brotliCompress(
      bytes,
      { params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, maxOutputLength },
      done,
    );
  },
  gzip: deflater(gzip),
  deflate: deflater(deflate),
} as const satisfies Readonly<Record<string, Encoder>>;

/** Content coding of a response. */
export type Encoding = keyof typeof ENCODERS;

const ENCODINGS = Object.keys(ENCODERS) as Encoding[];

/** Maximum number of cached header values: clients send few different ones. */
const MAX_KNOWN = 64;

const known = new Map<string, Encoding | undefined>();

/**
 * Selects the supported coding that the client prefers (RFC 9110, section 12.5.3); on a tie, the first of
 * {@link ENCODERS}.
 *
 * @param header - value of `Accept-Encoding`
 * @returns `undefined` if the client accepts none of them, or prefers uncompressed responses
 */
export function acceptedEncoding(header: string): Encoding | undefined {
  if (known.has(header)) return known.get(header);
  const found = preferred(header);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(header, found);
  return found;
}

function preferred(header: string): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const { type, q } of parseAccept(header)) {
    const name = type.toLowerCase().replace(/^x-(?=gzip$)/, "");
    weights.set(name, Math.max(q, weights.get(name) ?? 0));
  }
  const others = weights.get("*") ?? 0;
  let best: Encoding | undefined;
  let most = weights.get("identity") ?? 0;
  for (const encoding of ENCODINGS) {
    // A client that accepts any coding gets gzip, which every client can read.
    const weight = weights.get(encoding) ?? (encoding === "gzip" ? others : 0);
    if (weight > most || (weight === most && weight > 0 && best === undefined)) {
      best = encoding;
      most = weight;
    }
  }
  return best;
}
