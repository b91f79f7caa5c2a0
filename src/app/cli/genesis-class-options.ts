import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { ChainConfig, GenesisClass } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { wrongOption } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";
import { inspectPath } from "./inspect-path.ts";
import { withSystemClasses } from "./system-classes.ts";

const SYSTEM_CLASSES = "system-classes";

/** starknet-devnet's name for the account class included in the program. */
const SHIPPED_ACCOUNT = "cairo1";

const ACCOUNT = "account";

/** Class of the minting account, since funded accounts may use a different signature scheme. */
const FAUCET: GenesisClass = {
  name: "faucet_account",
  source: { kind: "builtin", builtin: "account" },
};

/** File names of Sierra classes from scarb and this program; compiled classes do not match. */
const SIERRA_FILE = /\.(contract_class|sierra)\.json$/;

type GenesisClasses = "accountClass" | "predeclareClass" | "predeclareArgent" | "systemClasses";

/**
 * Returns the configuration with the classes that the options add to its genesis.
 *
 * @throws {ConfigError} when a file does not exist
 */
export function withGenesisClasses(
  config: ChainConfig,
  { options, sources }: SourcedOptions<GenesisClasses>,
): ChainConfig {
  const { accountClass, predeclareClass, predeclareArgent, systemClasses } = options;
  const isReplaced = accountClass !== null && accountClass.toLowerCase() !== SHIPPED_ACCOUNT;
  const lists = [
    ["predeclare-class", predeclareClass],
    ["predeclare-argent", predeclareArgent],
  ] as const;
  const [flag] = [
    ...(accountClass === null ? [] : ["account-class"]),
    ...lists.filter(([, paths]) => paths.length > 0).map(([name]) => name),
    ...(systemClasses === null ? [] : [SYSTEM_CLASSES]),
  ];
  if (flag === undefined) return config;
  const { genesis } = config;
  if (genesis === null) throw wrongOption(sources, flag, "requires a chain with a genesis section");
  const classes = [...genesis.classes];
  if (isReplaced) {
    const own = classes.findIndex(({ name }) => name === ACCOUNT);
    const replaced = { name: ACCOUNT, source: classFile(resolve(accountClass)) };
    if (own < 0) classes.push(replaced);
    else classes[own] = replaced;
    classes.push(FAUCET);
  }
  for (const [name, paths] of lists) {
    for (const file of paths.flatMap((path) =>
      filesAt(path, (why) => wrongOption(sources, name, why)),
    )) {
      // The number keeps names unique, since files of different folders may share a name.
      const title = `predeclared ${classes.length}: ${basename(file)}`;
      classes.push({ name: title, source: classFile(file) });
    }
  }
  const made = { ...config, genesis: { ...genesis, classes } };
  return systemClasses === null
    ? made
    : withSystemClasses(made, systemClasses, (why) => wrongOption(sources, SYSTEM_CLASSES, why));
}

function classFile(sierraPath: string): GenesisClass["source"] {
  return { kind: "files", sierraPath, casmPath: null };
}

/** Returns the file itself, or the Sierra classes of a folder by name. */
function filesAt(path: string, wrong: (why: string) => ConfigError): readonly string[] {
  const place = resolve(path);
  const found = inspectPath(() => statSync(place, { throwIfNoEntry: false }), path, wrong);
  if (found === undefined) throw wrong(`there is no ${path}`);
  if (!found.isDirectory()) return [place];
  const names = inspectPath(() => readdirSync(place), path, wrong).filter((name) =>
    SIERRA_FILE.test(name),
  );
  if (names.length === 0) {
    throw wrong(`${path} has no *.contract_class.json and no *.sierra.json`);
  }
  return names.toSorted().map((name) => join(place, name));
}
