const FIRST_CAPACITY = 1 << 16;

/**
 * The bytes of a stream from the first one that is still needed to the last one that has arrived, in one
 * buffer. Its capacity is at most four times the longest token plus one chunk.
 */
export class ByteWindow {
  /** Valid from {@link at} to {@link end}; `feed` may replace it. */
  bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  /** Index of the first byte that is still needed. */
  at = 0;
  /** Index after the last byte that has arrived. */
  end = 0;
  #receivedBytes = 0;

  /** Number of bytes that were fed. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Number of bytes before {@link at}, from the beginning of the stream. */
  get offset(): number {
    return this.#receivedBytes - (this.end - this.at);
  }

  /** Appends a copy of a chunk. Indexes of bytes may change; those before {@link at} are dropped. */
  feed(chunk: Uint8Array): void {
    if (this.end + chunk.byteLength > this.bytes.byteLength) this.#makeRoom(chunk.byteLength);
    this.bytes.set(chunk, this.end);
    this.end += chunk.byteLength;
    this.#receivedBytes += chunk.byteLength;
  }

  #makeRoom(sizeBytes: number): void {
    const needed = this.end - this.at + sizeBytes;
    // Moving bytes only where half of the buffer is free keeps small chunks of a long token linear.
    const isRoomy = needed * 2 <= this.bytes.byteLength;
    const target = isRoomy ? this.bytes : Buffer.allocUnsafeSlow(needed * 2);
    this.bytes.copy(target, 0, this.at, this.end);
    this.bytes = target;
    this.end -= this.at;
    this.at = 0;
  }
}
