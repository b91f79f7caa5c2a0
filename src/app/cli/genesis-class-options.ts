import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { ChainConfig, GenesisClass } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { devnetOnly, wrongOption } from "./given.ts";
import { inspectPath } from "./inspect-path.ts";
import { listOption, readText, valueOption } from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { SYSTEM_CLASS_FILES, withSystemClasses } from "./system-classes.ts";

const group = "Development chains";

/** Classes of a new development chain. */
export const genesisClassOptions = {
  accountClass: valueOption(
    {
      flag: "account-class",
      value: "FILE",
      group,
      summary:
        "Sierra or Cairo 0 class of the funded accounts of --preset devnet; its constructor must take the public key and store it as Account_public_key; cairo1 is the included class",
      defaultText: "cairo1",
    },
    "a file, or cairo1",
    readText,
    null,
  ),
  predeclareClass: listOption({
    flag: "predeclare-class",
    value: "PATH",
    group,
    summary:
      "Sierra or Cairo 0 class that block 0 of --preset devnet declares, or a folder with *.contract_class.json and *.sierra.json files; repeatable",
  }),
  predeclareArgent: listOption({
    flag: "predeclare-argent",
    value: "PATH",
    group,
    summary: "the same for files of Argent's account classes, which are built into starknet-devnet",
  }),
  systemClasses: valueOption(
    {
      flag: "system-classes",
      value: "DIR",
      group,
      summary: `folder with classes that replace --preset devnet's fee tokens and universal deployers: ${SYSTEM_CLASS_FILES}`,
    },
    "a folder",
    readText,
    null,
  ),
};

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

type Given = Pick<ParsedArguments<typeof genesisClassOptions>, "options" | "given">;

/**
 * Returns the configuration with the classes that the options add to its genesis.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when an option is used on another chain, or a file does not exist
 */
export function withGenesisClasses(
  config: ChainConfig,
  { options, given }: Given,
  isDevnet: boolean,
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
  if (!isDevnet) throw devnetOnly(given, flag);
  if (genesis === null) throw wrongOption(given, flag, "requires a chain with a genesis section");
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
      filesAt(path, (why) => wrongOption(given, name, why)),
    )) {
      // The number keeps names unique, since files of different folders may share a name.
      const title = `predeclared ${classes.length}: ${basename(file)}`;
      classes.push({ name: title, source: classFile(file) });
    }
  }
  const made = { ...config, genesis: { ...genesis, classes } };
  return systemClasses === null
    ? made
    : withSystemClasses(made, systemClasses, (why) => wrongOption(given, SYSTEM_CLASSES, why));
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
