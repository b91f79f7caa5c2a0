import { sortByStanding, type StoppedMessage } from "./message-standing.ts";
import type { MessageWatchDeps } from "./message-ports.ts";
import type { L1HandlerOutcome } from "./ports.ts";
import type { WaitingMessage } from "./waiting-message.ts";

/** What became of a batch. */
export interface HandedBatch {
  readonly stopped: readonly StoppedMessage[];
  readonly executed: readonly {
    readonly message: WaitingMessage;
    readonly outcome: L1HandlerOutcome;
  }[];
}

/** The newest block that there is: whoever has begun to cancel a message is to be heard at once. */
const HEAD = 0;

/**
 * Looks once more how messages stand on L1, in its newest block, and hands those to the executor that may
 * be executed: one that L1 does not have, or that is being canceled, would be a block that cannot be proven.
 *
 * @throws {L1Error} when L1 does not tell how they stand; nothing was handed over
 */
export async function handOver(
  { source, execute }: Pick<MessageWatchDeps, "source" | "execute">,
  batch: readonly WaitingMessage[],
  isWanted: () => boolean,
): Promise<HandedBatch | undefined> {
  const { sound, stopped } = await source.view(HEAD, (view) => sortByStanding(view, batch));
  if (!isWanted()) return undefined;
  if (sound.length === 0) return { stopped, executed: [] };
  const outcomes = await execute(sound);
  const executed = sound.map((message, index) => ({
    message,
    outcome: outcomes[index] ?? ({ kind: "interrupted" } as const),
  }));
  return { stopped, executed };
}
