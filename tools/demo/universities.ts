import type { StudyCountry } from "#domain/application.ts";
import { checkInstitution } from "#domain/catalogue.ts";
import type { InstitutionEntry, StudyField } from "#domain/programme.ts";

/** A kind of institution with the fields that it teaches; null means all, as at a university. */
const kinds = {
  university: null,
  technical: ["engineering", "computing", "sciences"],
  business: ["business", "services"],
} as const satisfies Record<string, readonly StudyField[] | null>;
type Kind = keyof typeof kinds;

/** Invented institutions, so that the demo says nothing about real ones. */
const rows: readonly (readonly [
  name: string,
  country: StudyCountry,
  place: string,
  zone: string,
  kind?: Kind,
])[] = [
  ["Aire Valley University", "GB", "Leeds", "Europe/London"],
  ["Northgate University", "GB", "Newcastle upon Tyne", "Europe/London"],
  ["University of the Pennines", "GB", "Huddersfield", "Europe/London"],
  ["Clyde Metropolitan University", "GB", "Glasgow", "Europe/London"],
  ["Severn Bridge University", "GB", "Bristol", "Europe/London"],
  ["Peakland University", "GB", "Sheffield", "Europe/London"],
  ["Thames Quay University", "GB", "London", "Europe/London"],
  ["Bankside School of Business", "GB", "London", "Europe/London", "business"],
  ["Mersey Docks University", "GB", "Liverpool", "Europe/London"],
  ["Fenland University", "GB", "Ely", "Europe/London"],
  ["Solent Coast University", "GB", "Southampton", "Europe/London"],
  ["Caledon University", "GB", "Edinburgh", "Europe/London"],
  ["Taff Vale University", "GB", "Cardiff", "Europe/London"],
  ["Lagan University", "GB", "Belfast", "Europe/London"],
  ["Trent Vale Institute of Technology", "GB", "Nottingham", "Europe/London", "technical"],
  ["Exmoor University", "GB", "Exeter", "Europe/London"],
  ["Liffey University", "IE", "Dublin", "Europe/Dublin"],
  ["Corrib University", "IE", "Galway", "Europe/Dublin"],
  ["Lee Valley Institute of Technology", "IE", "Cork", "Europe/Dublin", "technical"],
  ["Shannonside University", "IE", "Limerick", "Europe/Dublin"],
  ["Slaney University", "IE", "Wexford", "Europe/Dublin"],
  ["Rideau Lakes University", "CA", "Ottawa", "America/Toronto"],
  ["Pacific Inlet University", "CA", "Vancouver", "America/Vancouver"],
  ["Red River Plains University", "CA", "Winnipeg", "America/Winnipeg"],
  ["Lakeshore Heights University", "CA", "Toronto", "America/Toronto"],
  ["Chinook Institute of Technology", "CA", "Calgary", "America/Edmonton", "technical"],
  ["Fundy Shore University", "CA", "Saint John", "America/Halifax"],
  ["Saguenay Hills University", "CA", "Montreal", "America/Toronto"],
  ["Hudson Highlands University", "US", "Albany", "America/New_York"],
  ["Erie Shore Technical University", "US", "Cleveland", "America/New_York", "technical"],
  ["Sonoran Mesa University", "US", "Phoenix", "America/Phoenix"],
  ["Golden Strait University", "US", "San Francisco", "America/Los_Angeles"],
  ["Blue Hollow University", "US", "Roanoke", "America/New_York"],
  ["Bayou City University", "US", "Houston", "America/Chicago"],
  ["Cascade Crest University", "US", "Portland", "America/Los_Angeles"],
  ["Platte Plains University", "US", "Omaha", "America/Chicago"],
  ["Gulf Horizon University", "AE", "Dubai", "Asia/Dubai"],
  ["Corniche Bay University", "AE", "Abu Dhabi", "Asia/Dubai"],
  ["Jebel Coast University", "AE", "Ras Al Khaimah", "Asia/Dubai"],
  ["Marina Creek School of Business", "AE", "Dubai", "Asia/Dubai", "business"],
];

/** An institution of the demo, with the fields that it teaches; null means all. `site` is the host of its web pages. */
export type DemoInstitution = InstitutionEntry & { fields: readonly StudyField[] | null; site: string };

export const universities: readonly DemoInstitution[] = rows.map(
  ([name, country, place, zone, kind = "university"]) => {
    const site = `${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.example`;
    const institution = checkInstitution({ name, country, place, zone, website: `https://${site}/` });
    if ("code" in institution) throw new Error(`${name}: ${institution.message}`);
    return { ...institution, fields: kinds[kind], site };
  },
);
