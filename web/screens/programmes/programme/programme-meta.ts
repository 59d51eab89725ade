import type { ProgrammePage } from "#contract/programmes.ts";
import { countryName } from "#domain/country.ts";
import { moneyInput } from "#domain/currency.ts";
import { listedTuition, type StudyMode, startDay } from "#domain/programme.ts";
import { durationWords, feePeriodWords, intakeWords } from "#domain/programme-words.ts";
import { programmePath } from "#protocol/addresses.ts";
import { configuration } from "../../../lib/configuration.ts";
import { publicMeta } from "../../../lib/page-meta.ts";
import { serverNow } from "../../../lib/server-clock.ts";

const schema = "https://schema.org";

const modes: Record<StudyMode, string> = {
  fullTime: "full-time",
  partTime: "part-time",
  online: "online",
  blended: "blended",
};

/** Returns a programme's known facts as schema.org describes them. */
function programmeData(programme: ProgrammePage, url: string, description: string) {
  const { title, institution, award, level, months, mode, language, fees, nextIntakeId } = programme;
  const tuition = listedTuition(fees);
  const next = programme.intakes.find(({ id }) => id === nextIntakeId);
  const deadline = next?.deadlines.find(
    // A general deadline may have passed while those of groups, which search engines don't know, are still open.
    ({ kind, group, at }) => kind === "applyBy" && group === null && at.getTime() > serverNow(),
  );
  return {
    "@context": schema,
    "@type": "EducationalOccupationalProgram",
    name: title,
    description,
    url,
    inLanguage: language,
    educationalProgramMode: modes[mode],
    educationalCredentialAwarded: award === "" ? level : award,
    ...(months !== null && { timeToComplete: `P${months}M` }),
    ...(next && { startDate: startDay(next) }),
    ...(deadline && { applicationDeadline: deadline.date }),
    provider: {
      "@type": "CollegeOrUniversity",
      name: institution.name,
      ...(institution.website !== "" && { url: institution.website }),
      address: {
        "@type": "PostalAddress",
        ...(institution.place !== "" && { addressLocality: institution.place }),
        addressCountry: institution.country,
      },
    },
    ...(tuition && {
      offers: {
        "@type": "Offer",
        category: "Tuition",
        description: feePeriodWords(tuition),
        price: moneyInput(tuition),
        priceCurrency: tuition.currency,
      },
    }),
  };
}

/** Returns the `meta` of a programme's page: title, description, canonical address, and its data for search engines. */
export function programmeMeta(programme: ProgrammePage) {
  const { slug, title, level, institution, months, removed, sample, intakes, nextIntakeId } = programme;
  const path = programmePath(slug);
  const next = intakes.find(({ id }) => id === nextIntakeId);
  const place = [institution.place, countryName(institution.country)]
    .filter((each) => each !== "")
    .join(", ");
  const facts = [
    level,
    ...(months === null ? [] : [durationWords(months)]),
    ...(next ? [`next start ${intakeWords(next)}`] : []),
  ].join(", ");
  const description = `${title} at ${institution.name}, ${place}: ${facts}. Entry requirements, deadlines and fees.`;
  const entries = publicMeta(path, `${title}, ${institution.name}`, description);
  // Search engines must show neither removed programmes nor invented examples.
  if (removed || sample) return [...entries, { name: "robots", content: "noindex" }];
  return [
    ...entries,
    { "script:ld+json": programmeData(programme, configuration().baseUrl + path, description) },
  ];
}
