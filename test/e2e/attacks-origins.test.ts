import { ORIGINS } from "#test/attack/groups/origins.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(ORIGINS);
