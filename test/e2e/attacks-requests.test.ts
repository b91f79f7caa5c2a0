import { REQUESTS } from "#test/attack/groups/requests.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(REQUESTS);
