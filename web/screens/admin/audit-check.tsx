import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../lib/format-date.ts";
import { api } from "../../lib/rpc.ts";
import { Notice } from "../../ui/notice.tsx";
import classes from "./filters.module.css";

/** Whether the log was whole when it was last checked, which is every night. */
export function AuditCheck() {
  const { data: check } = useQuery(api.audit.lastCheck.queryOptions());
  const { formatMoment } = useFormats();
  if (check === undefined) return <p className={classes.note}>&nbsp;</p>;
  if (check === null)
    return <p className={classes.note}>The log is checked every night, for the first time tonight.</p>;
  const when = <time dateTime={check.at.toISOString()}>{formatMoment(check.at)}</time>;
  if (check.problem === null)
    return <p className={classes.note}>Last checked {when}: no entry has been removed or changed.</p>;
  return (
    <Notice>
      Last checked {when}: entries have been removed or changed. {check.problem}. To find out more, run{" "}
      <code>npm run check</code> on the server.
    </Notice>
  );
}
