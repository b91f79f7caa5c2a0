const FIRST_CAPACITY = 1 << 16;

/**
 * Window over a byte stream: the bytes from the first one still needed to the last one received, in one
 * buffer. Its capacity is at most four times the longest token plus one chunk.
 */
export class ByteWindow {
  /** Buffer, valid from {@link at} to {@link end}; `feed` may replace it. */
  bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  /** Index of the first byte that is still needed. */
  at = 0;
  /** Index after the last received byte. */
  end = 0;
  #receivedBytes = 0;

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Stream offset of {@link at} in bytes. */
  get offset(): number {
    return this.#receivedBytes - (this.end - this.at);
  }

  /** Appends a copy of a chunk. Drops the bytes before {@link at}, so indexes may change. */
  feed(chunk: Uint8Array): void {
    if (this.end + chunk.byteLength > this.bytes.byteLength) this.#makeRoom(chunk.byteLength);
    this.bytes.set(chunk, this.end);
    this.end += chunk.byteLength;
    this.#receivedBytes += chunk.byteLength;
  }

  #makeRoom(sizeBytes: number): void {
    const needed = this.end - this.at + sizeBytes;
    // Moving bytes only while half of the buffer is free keeps many small chunks of a long token linear.
    const isRoomy = needed * 2 <= this.bytes.byteLength;
    const target = isRoomy ? this.bytes : Buffer.allocUnsafeSlow(needed * 2);
    this.bytes.copy(target, 0, this.at, this.end);
    this.bytes = target;
    this.end -= this.at;
    this.at = 0;
  }
}
