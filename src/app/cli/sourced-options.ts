import type { FlagSources, NodeValues } from "#app/options/index.ts";

/** Some options of a node, with the flags that were set. */
export interface SourcedOptions<K extends keyof NodeValues = keyof NodeValues> {
  readonly options: Pick<NodeValues, K>;
  readonly sources: FlagSources;
}
