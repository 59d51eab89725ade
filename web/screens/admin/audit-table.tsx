import type { AuditEntry } from "#contract/audit.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import { useFormats } from "../../lib/format-date.ts";
import classes from "./admin-table.module.css";

type AuditTableProps = {
  entries: readonly AuditEntry[];
  /** Newer ones are on the way. */
  busy: boolean;
};

/** The entries, newest first; on a telephone each is a card. */
export const AuditTable = ({ entries, busy }: AuditTableProps) => (
  <section className={classes.scroller} aria-label="Audit log" aria-busy={busy}>
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Who</th>
          <th scope="col">Whom</th>
          <th scope="col">When</th>
          <th scope="col">From address</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  </section>
);

function Entry({ entry }: { entry: AuditEntry }) {
  const { formatMomentToTheSecond } = useFormats();
  const { action, actor, subject, at, address, detail } = entry;
  return (
    <tr>
      <th scope="row" className={classes.what}>
        {isAuditAction(action) ? auditActions[action] : action}
      </th>
      <td className={classes.long} data-label="Who">
        <Actor actor={actor} />
      </td>
      <td className={classes.long} data-label="Whom" data-missing={subject === null || undefined}>
        {subject && <Account {...subject} />}
      </td>
      <td className={classes.short} data-label="When">
        <time dateTime={at.toISOString()}>{formatMomentToTheSecond(at)}</time>
      </td>
      <td className={classes.short} data-label="From address" data-missing={address === null || undefined}>
        {address}
      </td>
      <td
        className={classes.details}
        data-label="Details"
        data-wide
        data-missing={Object.keys(detail).length === 0 || undefined}
      >
        <Details detail={detail} />
      </td>
    </tr>
  );
}

const without = {
  operator: "Operator",
  visitor: "Not logged in",
  server: "Wayfare",
} as const satisfies Record<Exclude<AuditEntry["actor"]["kind"], "account">, string>;

const Actor = ({ actor }: { actor: AuditEntry["actor"] }) =>
  actor.kind === "account" ? (
    <Account {...actor} />
  ) : (
    <span className={classes.dimmed}>{without[actor.kind]}</span>
  );

/** An account that is gone is known by its id alone. */
const Account = ({ id, email }: { id: string; email: string | null }) =>
  email ?? (
    <>
      Deleted account <span className={classes.small}>{id}</span>
    </>
  );

const Details = ({ detail }: { detail: AuditEntry["detail"] }) => (
  <span className={classes.small}>
    {Object.entries(detail)
      .filter(([, value]) => value !== "")
      .map(([key, value]) => `${key}: ${value}`)
      .join(" · ")}
  </span>
);
