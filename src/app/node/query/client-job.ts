import { type AnswerStream, type Caller, NOBODY, type TakeRest } from "#api/rpc/index.ts";
import { queryBusy, queryFailure } from "./query-failure.ts";
import { type JobOptions, QueryJob } from "./query-job.ts";

/**
 * Creates a job whose response is JSON for a client.
 *
 * @param resolve - called once
 * @param onLeft - called when the client disconnects before the response
 */
export function clientJob(
  {
    takeRest,
    ...options
  }: Pick<JobOptions, "work" | "kind"> & { readonly takeRest: TakeRest | undefined },
  caller: Caller | undefined,
  resolve: (bytes: Uint8Array) => void,
  onLeft: (job: QueryJob) => void,
): QueryJob {
  const signal = caller?.signal;
  const left = (): void => onLeft(job);
  const settle = (bytes: Uint8Array, rest?: AnswerStream): void => {
    signal?.removeEventListener("abort", left);
    if (rest !== undefined) takeRest?.(rest);
    resolve(bytes);
  };
  const job = new QueryJob(
    { ...options, client: caller ?? NOBODY, isLong: false, signal },
    {
      resolve: settle,
      fail: (reason) => settle(queryFailure(reason)),
      refuse: (reason) => settle(queryBusy(reason)),
    },
  );
  signal?.addEventListener("abort", left);
  return job;
}
