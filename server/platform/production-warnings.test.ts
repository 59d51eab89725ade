import { expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";
import { productionWarnings } from "./production-warnings.ts";

const open = { ownsTables: true, samples: ["team.ts"], asRoot: true };
const careful = { ownsTables: false, samples: [], asRoot: false };

test("nothing is said of a Wayfare that only its maker sees", () => {
  expect(productionWarnings(readEnvironment({}), open)).toEqual([]);
});

test("whoever opens Wayfare to the public is warned of all that is still open", () => {
  const warnings = productionWarnings(readEnvironment({ BASE_URL: "https://wayfare.example" }), open);
  const subjects = [/team\.ts/, /SMTP_URL/, /SECOND_FACTOR_REQUIRED/, /DATABASE_MIGRATION_URL/, /root/];
  expect(warnings).toEqual(subjects.map((subject) => expect.stringMatching(subject)));
});

test("of what is as it should be nothing is said", () => {
  const environment = readEnvironment({
    BASE_URL: "https://wayfare.example",
    SMTP_URL: "smtp://mail.example",
    SECOND_FACTOR_REQUIRED: "admins",
  });
  expect(productionWarnings(environment, careful)).toEqual([]);
});
