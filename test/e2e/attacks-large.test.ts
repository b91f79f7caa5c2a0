import { LARGE } from "#test/attack/groups/large.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(LARGE);
