/**
 * The text of a response; what is longer is not read on.
 *
 * @param maxBytes - after decompression
 * @returns `undefined` when it is longer
 */
export async function readBounded(
  response: Response,
  maxBytes: number,
): Promise<string | undefined> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
