import type { Person } from "#tests/support/factories.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { testResult } from "./guidance-things.ts";
import type { ObjectRules } from "./object-access.ts";
import type { Relation, Thing } from "./object-world.ts";
import { responsible } from "./relations.ts";

const onBehalf: readonly Relation[] = ["owner", "assignedAgent"];

function ownerOf({ owner }: Thing): Person {
  if (!owner) throw new Error("the entry belongs to nobody");
  return owner;
}

/** Names the student who has the entry. */
const ownerField = async (_on: Wayfare, thing: Thing) => ({ studentId: ownerOf(thing).id });

/** Rules of students' records, and of the programmes that students are compared with. */
export const recordRules: ObjectRules = {
  "studyRecord.read studentId": { of: "student", may: ["owner", ...responsible] },
  "studyRecord.saveQualification studentId": { of: "student", may: onBehalf },
  "studyRecord.saveQualification id": { of: "recordQualification", may: onBehalf, beside: ownerField },
  "studyRecord.saveTest studentId": { of: "student", may: onBehalf },
  "studyRecord.saveTest id": { of: "recordTest", may: onBehalf, beside: ownerField },
  "studyRecord.saveWork studentId": { of: "student", may: onBehalf },
  "studyRecord.remove studentId": {
    of: "student",
    may: onBehalf,
    beside: async (_on, thing) => await ownerOf(thing).caller.api.studyRecord.saveTest(testResult),
  },
  "studyRecord.remove id": { of: "recordTest", may: onBehalf, beside: ownerField },
  // Programmes and their intakes are public.
  "students.list fits.programmeId": "own",
  "students.list fits.intakeId": "own",
  "students.exportLink view.fits.programmeId": "own",
  "students.exportLink view.fits.intakeId": "own",
  "bulkRuns.choose fits.programmeId": "own",
  "bulkRuns.choose fits.intakeId": "own",
  "savedViews.save view.fits.programmeId": "own",
  "savedViews.save view.fits.intakeId": "own",
};
