import { KEEPING } from "#test/attack/groups/keeping.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(KEEPING);
