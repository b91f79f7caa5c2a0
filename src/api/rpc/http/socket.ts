/** Subset of Bun's socket that a connection uses. */
export interface HttpSocket {
  /** Address of the peer; absent if the socket has none. */
  readonly remoteAddress?: string;
  /** @returns the number of bytes accepted; negative if the connection is closed */
  write(bytes: string | Uint8Array): number;
  /** Closes both directions. */
  end(): void;
  /** Closes the writing side. */
  shutdown(): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}
