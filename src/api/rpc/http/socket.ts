/** What a connection needs of a socket: a part of Bun's. */
export interface HttpSocket {
  /** The address of the other side, where it has one. */
  readonly remoteAddress?: string;
  /** @returns how many bytes were taken; negative when the connection is gone */
  write(bytes: string | Uint8Array): number;
  /** Ends both sides. */
  end(): void;
  /** Ends the writing side. */
  shutdown(): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}
