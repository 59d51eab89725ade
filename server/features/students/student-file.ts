import { stateLabels } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { dateFormats } from "#domain/date-format.ts";
import { type DocumentKind, documentKinds, documentLabel, downloadName } from "#domain/document.ts";
import { genderLabel, isGender, type ProfileField, profileFields, profileLabel } from "#domain/profile.ts";
import { escapeHtml } from "#server/platform/escape.ts";
import type { StudentFile } from "./open-student-file.ts";

type StudentDocument = StudentFile["documents"][number];

/**
 * Returns a document's name in the zip: the name of its slot, which is unique, with the extension of its content type.
 */
export const nameInZip = ({ kind, type }: Pick<StudentDocument, "kind" | "type">): string =>
  downloadName(documentLabel[kind], type);

/** Returns the unique name in the zip of a file that was sent on request. */
export const nameOfRequestedInZip = ({ id, title, type }: StudentFile["requested"][number]): string =>
  `Requested/${downloadName(`${title.replaceAll(/[\\/:*?"<>|\p{C}]/gu, "_")} ${id.slice(0, 8)}`, type)}`;

const documentState: Record<StudentDocument["state"], string> = {
  uploaded: "Waiting for review",
  approved: "Approved",
  rejected: "Rejected",
};

const { formatDate, formatMoment } = dateFormats("UTC");

const row = (cells: readonly string[]) =>
  `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
const fact = (label: string, text: string) =>
  `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(text || "–")}</td></tr>`;

function table(title: string, headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = headers.map((header) => `<th scope="col">${escapeHtml(header)}</th>`).join("");
  const body =
    rows.length === 0
      ? "<p>None.</p>"
      : `<table><thead><tr>${heads}</tr></thead><tbody>${rows.map(row).join("")}</tbody></table>`;
  return `<h2>${escapeHtml(title)}</h2>${body}`;
}

const documentRow = (kind: DocumentKind, document: StudentDocument | undefined): string[] =>
  document
    ? [
        documentLabel[kind],
        documentState[document.state],
        nameInZip(document),
        formatDate(document.uploadedAt),
      ]
    : [documentLabel[kind], "Not uploaded", "", ""];

const styles = `body{font:15px/1.5 system-ui,sans-serif;color:#14213d;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{margin-bottom:0}h2{margin:2rem 0 .5rem}table{width:100%;border-collapse:collapse}
th,td{padding:.375rem .75rem .375rem 0;border-bottom:1px solid #ddd;text-align:left;vertical-align:top;overflow-wrap:anywhere}
tbody th{width:12rem;font-weight:600}tr{break-inside:avoid}h2{break-after:avoid}`;

/** Renders the page of details in a student's file, to be read or printed. It loads no other file. */
export function detailsPage(file: StudentFile, now: Date): string {
  const textOf = (field: ProfileField): string => {
    const text = file.profile[field];
    if (field === "citizenship" || field === "country") return countryName(text);
    return field === "gender" && isGender(text) ? genderLabel[text] : text;
  };
  const facts = profileFields.map((field) => fact(profileLabel[field], textOf(field)));
  const documents = documentKinds.map((kind) =>
    documentRow(
      kind,
      file.documents.find((each) => each.kind === kind),
    ),
  );
  const applications = file.applications.map((each) => [
    each.program,
    each.university,
    each.highestStudyLevel,
    each.countries.map(countryName).join(", "),
    each.year === null ? each.startDate : `${each.startDate} ${each.year}`,
    stateLabels[each.state],
    each.additionalInfo,
  ]);
  const shortlist = file.shortlist.map((item) => [item.university, item.course, item.url ?? ""]);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(file.name)}</title><style>${styles}</style></head><body>
<h1>${escapeHtml(file.name)}</h1><p>Saved from Wayfare on ${formatMoment(now)} UTC. Confidential.</p>
<h2>Personal details</h2><table><tbody>${[...facts, fact("Assigned agent", file.agent ?? "")].join("")}</tbody></table>
${table("Documents", ["Document", "State", "File", "Uploaded"], documents)}
${table("Applications", ["Programme", "University", "Level", "Countries", "Intake", "State", "Additional information"], applications)}
${table("Shortlist", ["University", "Course", "Link"], shortlist)}
</body></html>
`;
}
