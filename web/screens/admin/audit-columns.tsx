import type { AuditEntry } from "#contract/audit.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import { auditDetailInWords } from "#domain/audit-detail.ts";
import { useFormats } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";
import table from "./data-table.module.css";
import type { Column } from "./data-table.tsx";

/** An entry with the names of the accounts that the details on its page mention. */
type NamedEntry = AuditEntry & { people: Readonly<Record<string, string>> };

export const namedEntries = ({ entries, people }: Awaited<ReturnType<typeof rpc.audit.list>>): NamedEntry[] =>
  entries.map((entry) => ({ ...entry, people }));

export function useAuditColumns(): Column<NamedEntry>[] {
  const { formatMomentToTheSecond } = useFormats();
  return [
    {
      title: "What",
      holds: "what",
      render: ({ action }) => (isAuditAction(action) ? auditActions[action] : action),
    },
    { title: "Who", holds: "long", render: ({ actor }) => <Actor actor={actor} /> },
    { title: "Whom", holds: "long", render: ({ subject }) => subject && <Account {...subject} /> },
    {
      title: "When",
      holds: "short",
      render: ({ at }) => <time dateTime={at.toISOString()}>{formatMomentToTheSecond(at)}</time>,
    },
    { title: "From address", holds: "short", render: ({ address }) => address },
    { title: "Details", holds: "details", wide: true, render: detailsOf },
  ];
}

const actorLabels = {
  operator: "Operator",
  visitor: "Not logged in",
  server: "Wayfare",
} as const satisfies Record<Exclude<AuditEntry["actor"]["kind"], "account">, string>;

const Actor = ({ actor }: { actor: AuditEntry["actor"] }) =>
  actor.kind === "account" ? (
    <Account {...actor} />
  ) : (
    <span className={table.dimmed}>{actorLabels[actor.kind]}</span>
  );

/** An erased account is only known by its id. */
const Account = ({ id, email }: { id: string; email: string | null }) =>
  email ?? (
    <>
      Deleted account <span className={table.small}>{id}</span>
    </>
  );

function detailsOf({ detail, people }: NamedEntry) {
  const words = auditDetailInWords(detail, people);
  return words && <span className={table.small}>{words}</span>;
}
