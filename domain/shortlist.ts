import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Longest texts in characters, and most items of one student's shortlist. */
export const shortlistLimits = { university: 120, course: 160, url: 2000, items: 200 } as const;

export type ShortlistForm = { university: string; course: string; url: string };
export type ShortlistField = keyof ShortlistForm;

export const shortlistFull: Problem<ShortlistField> = {
  code: "resource-exhausted",
  message: `A shortlist can have at most ${shortlistLimits.items} items.`,
};

/**
 * Returns the address as a page may link to it, or null: http or https, at most `shortlistLimits.url` characters,
 * without a user name or password. Called when the address is stored and again when it is shown.
 */
export function visitableUrl(text: string): string | null {
  const trimmed = text.trim();
  // Parsers silently correct texts such as "java\nscript:" or "https:host" to something that the user didn't mean.
  if (trimmed.length > shortlistLimits.url || !/^https?:\/\/[^\s\\]+$/i.test(trimmed)) return null;
  if (!URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return url.href.length > shortlistLimits.url ? null : url.href;
}

/** Adds https to an address without a scheme, such as "www.ucd.ie/physics". */
const withScheme = (address: string): string =>
  /^([\p{L}\p{N}-]+\.)+\p{L}{2,}([/?#]|$)/u.test(address) ? `https://${address}` : address;

/** Returns the item to store, or the form's first problem, in its order. */
export function checkShortlistItem(form: ShortlistForm): ShortlistForm | Problem<ShortlistField> {
  const university = form.university.trim();
  const course = form.course.trim();
  if (university === "") return wrong("university", "Please enter a university.");
  if (course === "") return wrong("course", "Please enter a course.");
  if (form.url.trim() === "") return wrong("url", "Please enter a URL.");
  const problem =
    tooLong("university", "University", university, shortlistLimits.university) ??
    tooLong("course", "Course", course, shortlistLimits.course) ??
    tooLong("url", "URL", form.url, shortlistLimits.url);
  if (problem) return problem;
  const url = visitableUrl(withScheme(form.url.trim()));
  if (url === null) return wrong("url", "Please enter a web address that begins with http:// or https://.");
  return { university, course, url };
}

export const onShortlistAlready: Problem<ShortlistField> = {
  code: "already-exists",
  message: "This course is already on the shortlist.",
  field: "course",
};

/** The problem of a programme or an intake that staff have removed from the catalogue. */
export const noLongerOffered: Problem<ShortlistField> = wrong(
  "course",
  "This programme or this start is no longer in the catalogue.",
);

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#]+/gu, " ")
    .trim();

/** Returns the normalised address of a page, or null for a whole site's, which doesn't identify a course. */
function pageOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname, search } = new URL(address);
  const path = pathname.replace(/\/+$/, "");
  return path === "" && search === "" ? null : `${host.replace(/^www\./, "")}${path}${search}`;
}

/** A stored course, with its programme if it is in the catalogue. */
export type ShortlistCourse = ShortlistForm & { programmeId?: string | null };

/**
 * Whether two stored items are the same course: the same programme of the catalogue, or else the same names apart from
 * case, accents and punctuation, or the same page. Two programmes of the catalogue, such as full-time and part-time,
 * are never the same.
 */
export function isSameCourse(one: ShortlistCourse, other: ShortlistCourse): boolean {
  if (one.programmeId && other.programmeId) return one.programmeId === other.programmeId;
  if (plain(one.university) === plain(other.university) && plain(one.course) === plain(other.course))
    return true;
  const page = pageOf(one.url);
  return page !== null && page === pageOf(other.url);
}

/** Returns the form's first problem, or null. */
export function shortlistProblem(form: ShortlistForm): Problem<ShortlistField> | null {
  const item = checkShortlistItem(form);
  return "code" in item ? item : null;
}

/** Whether an application is for an item: for the same course, at the same university or without naming one. */
export const isFor = (
  application: { program: string; university: string },
  { course, university }: Pick<ShortlistForm, "course" | "university">,
): boolean =>
  plain(application.program) === plain(course) &&
  (application.university === "" || plain(application.university) === plain(university));
