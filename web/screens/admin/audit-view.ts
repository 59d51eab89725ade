import { type AuditAction, auditPersonLimit, isAuditAction } from "#domain/audit.ts";

/** What the audit log shows, as its address has it. `from` and `to` are days where the viewer is, both included. */
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

/** Midnight at the beginning of a day where the viewer is, or of one of the days after it. */
function midnight(day: string, after = 0): Date | undefined {
  if (day === "") return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + after);
  // Nothing is older, and the server takes nothing older.
  return new Date(Math.max(0, date.getTime()));
}

/** The filter as the server has it. */
export const filterOf = ({ action, who, whom, from, to }: AuditView) => ({
  action: action ?? undefined,
  actor: who,
  subject: whom,
  from: midnight(from),
  before: midnight(to, 1),
});

/** Where the same entries are a file. */
export function csvPath(view: AuditView): string {
  const { from, before, ...texts } = filterOf(view);
  const all = { ...texts, from: from?.toISOString(), before: before?.toISOString() };
  const said = Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `/files/audit.csv?${new URLSearchParams(said).toString()}`;
}
