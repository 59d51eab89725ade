import { type AuditAction, auditPersonLimit, isAuditAction } from "#domain/audit.ts";

/**
 * The audit log's filters, as the address has them. `from` and `to` are days in the viewer's time zone, both included.
 */
export type AuditView = {
  action: AuditAction | null;
  who: string;
  whom: string;
  from: string;
  to: string;
};

/** The view without any filter. */
export const everything: AuditView = { action: null, who: "", whom: "", from: "", to: "" };

const isDay = (text: string): boolean =>
  /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

export function readView(params: URLSearchParams): AuditView {
  const text = (name: string) => (params.get(name) ?? "").slice(0, auditPersonLimit);
  const day = (name: string) => (isDay(text(name)) ? text(name) : "");
  const action = text("action");
  return {
    action: isAuditAction(action) ? action : null,
    who: text("who"),
    whom: text("whom"),
    from: day("from"),
    to: day("to"),
  };
}

/** Returns midnight at the beginning of a day in the viewer's time zone, or `after` days later. */
function midnight(day: string, after = 0): Date | undefined {
  if (day === "") return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + after);
  // Nothing is older, and the server accepts no earlier date.
  return new Date(Math.max(0, date.getTime()));
}

/** Returns the filter as the server expects it. */
export const filterOf = ({ action, who, whom, from, to }: AuditView) => ({
  action: action ?? undefined,
  actor: who,
  subject: whom,
  from: midnight(from),
  before: midnight(to, 1),
});

/** Returns the address of the same entries as a CSV file. */
export function csvPath(view: AuditView): string {
  const { from, before, ...texts } = filterOf(view);
  const all = { ...texts, from: from?.toISOString(), before: before?.toISOString() };
  const entries = Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `/files/audit.csv?${new URLSearchParams(entries).toString()}`;
}
