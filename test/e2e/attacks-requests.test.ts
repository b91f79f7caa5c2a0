import { REQUESTS } from "#test/attack/index.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(REQUESTS);
