export {
  choiceOption,
  fileOption,
  integerOption,
  listOption,
  portOption,
  switchOption,
  valueOption,
} from "./build-option.ts";
export { compilerOptions } from "./compiler-options.ts";
export { folderOptions } from "./chain-options.ts";
export { configOptions } from "./config-options.ts";
export { meaningOf, optionGroups } from "./describe-option.ts";
export {
  type devAccountOptions,
  devnetOptions,
  type genesisClassOptions,
  MAX_START_TIME,
} from "./dev-options.ts";
export {
  BLOCK_GENERATION_FORM,
  CLASS_ENDINGS,
  DEFAULT_METHODS,
  readBlockGeneration,
  SYSTEM_CLASS_FILES,
  SYSTEM_CLASS_STEMS,
} from "./devnet-forms.ts";
export { FORK_BLOCK_FORM, type ForkBlock, type ForkHeader, readForkBlock } from "./fork-forms.ts";
export {
  nodeOptions,
  type NodeValues,
  sequencerOptions,
  settingOptions,
  showOptions,
} from "./node-options.ts";
export {
  changedOptions,
  configSettings,
  defaultsOf,
  environmentName,
  flagName,
  type FlagSources,
  type Option,
  optionOf,
  type OptionTable,
  type OptionUser,
  type OptionValues,
  optionsIn,
  settingsOf,
  valuesOf,
} from "./option.ts";
export {
  readAddress,
  readBigint,
  readDuration,
  readInteger,
  readName,
  readText,
  readUrl,
  U128_MAX,
} from "./read-option.ts";
export { type replicationOptions, STORE_FORM, storeOptions } from "./replication-options.ts";
export { type syncOptions } from "./sync-options.ts";
export { threadOptions } from "./thread-options.ts";
