import { useQuery } from "@tanstack/react-query";
import { mayManageStudents } from "#domain/permission.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./security.module.css";
import { signInMethodsQuery } from "./sign-in-methods.ts";

/** Returns everything that can log in or act for the account without its password; undefined until it is known. */
function useOtherAccess(): readonly string[] | undefined {
  const viewer = useViewer();
  const isStaff = viewer !== null && mayManageStudents(viewer);
  const methods = useQuery(signInMethodsQuery);
  const keys = useQuery(api.apiKeys.list.queryOptions({ enabled: isStaff }));
  const webhooks = useQuery(api.webhooks.mine.queryOptions({ enabled: isStaff }));
  const planner = useQuery(api.planner.settings.queryOptions());
  if (!methods.data || !planner.data || (isStaff && (!keys.data || !webhooks.data))) return undefined;
  return [
    ...methods.data.passkeys.map(({ name }) => `Passkey: ${name}`),
    ...(keys.data?.keys ?? []).map(({ name }) => `API key: ${name}`),
    ...(webhooks.data?.webhooks ?? []).map(({ url }) => `Webhook: ${url}`),
    ...(planner.data.calendarMadeAt === null ? [] : ["Your calendar's secret address"]),
  ];
}

export const endsAccess = "endsAccess";

/** Offers to end, together with the old password, access that others may have added with it. */
export function OtherAccess() {
  const access = useOtherAccess();
  // The field is sent even if the list is empty or not loaded: access that was added meanwhile ends as well.
  if (access === undefined || access.length === 0)
    return (
      <>
        <input type="hidden" name={endsAccess} value="on" />
        {access === undefined && <Skeleton h={60} label="Loading" />}
      </>
    );
  return (
    <ChoiceGroup legend="These work without your password" field={endsAccess}>
      <ul className={classes.access}>
        {access.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <label className={classes.choice}>
        <input type="checkbox" name={endsAccess} defaultChecked />
        End these too
      </label>
    </ChoiceGroup>
  );
}
